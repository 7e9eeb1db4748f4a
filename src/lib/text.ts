// Cutting and cleaning text without breaking characters.

/** Text that every JSON parser and provider accepts: lone surrogates replaced. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The first `length` UTF-16 units at most, never half a surrogate pair. */
export function takeHead(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

/** The last `length` UTF-16 units at most, never half a surrogate pair. */
export function takeTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** All of it in pieces of at most `length` UTF-16 units. */
export function* cutPieces(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const piece = takeHead(start === 0 ? text : text.slice(start), length);
    yield piece;
    start += piece.length;
  }
}

/** Head and tail with a mark between them that says how much is missing. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = takeHead(text, half);
  const tail = takeTail(text, limit - half);
  return `${head}\n... (${text.length - head.length - tail.length} characters left out) ...\n${tail}`;
}

/** One line of at most `limit` characters, for hints and lists. */
export function toOneLine(text: string, limit: number): string {
  const line = takeHead(text, limit * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${takeHead(line, limit - 1)}…`;
}

export function isBlank(text: string | null | undefined): boolean {
  return text === null || text === undefined || text.trim() === "";
}

export function stripBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** One line in which nothing is invisible. */
export function toPlainLine(text: string, limit: number): string {
  const visible = text.replaceAll(/(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu, "");
  return toOneLine(toWellFormed(visible), limit);
}

/** A code block whose fence is longer than any inside it. */
export function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
