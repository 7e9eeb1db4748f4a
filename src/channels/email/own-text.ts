// The new text of a mail, without the quoted mail below it and without the signature. When in
// doubt it stays: an answer between quoted lines makes sense only with them.

const attributions = [
  /^(?=.{0,400}\bwrote:?\s*$)On\s/i,
  /^(?=.{0,400}\bschrieb\b.{0,80}:\s*$)Am\s/i,
  /^(?=.{0,400}\ba écrit\s*:\s*$)Le\s/i,
  /^(?=.{0,400}(写道|寫道)\s*[：:]\s*$)在/,
];
/** These begin with a name, so that only a line of its own is one. */
const lineOfAttribution = /^.{0,400}(写道|寫道)\s*[：:]\s*$/;
const separators =
  /^\s*(-{2,}\s*(Original Message|Original-Nachricht|Ursprüngliche Nachricht|原始邮件|原始郵件|回复的原邮件)\s*-{2,}|_{20,})\s*$/i;
const outlookFrom = /^\s*\*?(From|Von|De|发件人|寄件者)\s*\*?\s*[：:]\s*\*?\s*\S/i;
const outlookRest =
  /^\s*\*?(Sent|Date|To|Subject|Gesendet|An|Betreff|发送时间|發送時間|日期|收件人|收件者|主题|主旨)\s*\*?\s*[：:]/i;

/** `isAnswer`: it names letters that it answers to. In others, what looks like a quote is what they want to show. */
export function toOwnText(text: string, isAnswer: boolean): string {
  const lines = text.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const newLines = withoutSignature(isAnswer ? withoutQuote(lines) : lines);
  const written = newLines.join("\n").trim();
  return written === "" ? text.trim() : written;
}

function withoutQuote(lines: string[]): string[] {
  const end = lines.findIndex((_, index) => isLetterBelow(lines, index));
  return end === -1 ? withoutQuotedEnd(lines) : lines.slice(0, end);
}

/** From here on there is nothing but the old letter. */
function isLetterBelow(lines: string[], index: number): boolean {
  const line = lines[index] ?? "";
  const below = lines.slice(index + 1, index + 6);
  if (outlookFrom.test(line)) return below.filter((next) => outlookRest.test(next)).length >= 2;
  if (separators.test(line)) return !line.includes("_") || below.some((next) => outlookFrom.test(next));
  if (!isAttribution(lines, index)) return false;
  const rest = lines.slice(index + 1).filter((next) => next.trim() !== "" && !isAttributionEnd(next));
  // Text below quoted lines answers them one by one.
  return rest.length > 0 && (rest.every(isQuoted) || !rest.some(isQuoted));
}

/** Mail programs break it into two or three lines. */
function isAttribution(lines: string[], index: number): boolean {
  if (lineOfAttribution.test(lines[index] ?? "")) return true;
  return [1, 2, 3].some((count) => {
    const joined = lines
      .slice(index, index + count)
      .map((line) => line.trim())
      .join(" ");
    return attributions.some((pattern) => pattern.test(joined));
  });
}

function isAttributionEnd(line: string): boolean {
  return /(\bwrote:?|写道\s*[：:]|寫道\s*[：:]|a écrit\s*:|schrieb.{0,80}:)\s*$/i.test(line);
}

function withoutQuotedEnd(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "" && !isQuoted(line));
  return lines.slice(0, last + 1);
}

function isQuoted(line: string): boolean {
  return /^\s*>/.test(line);
}

/** Two dashes and a space on a line of their own, by an old agreement; and not much below. */
function withoutSignature(lines: string[]): string[] {
  const mark = lines.findLastIndex((line) => /^--\s?$/.test(line));
  return mark > 0 && lines.length - mark <= 15 ? lines.slice(0, mark) : lines;
}
