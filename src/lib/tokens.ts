// An estimate of tokens that costs microseconds: text is cut as tokenizers cut it before they look anything up (words,
// numbers by three, runs of marks, blanks that join what follows), and each piece is weighed by its kind and length.
// Callers correct it by the last exact figure that a provider reported.

const space = 0;
const lineEnd = 1;
const digit = 2;
const small = 3;
const capital = 4;
const mark = 5;
/** Chinese, Japanese and Korean characters, and halves of emoji. */
const wide = 6;
/** Letters of other scripts. */
const foreign = 7;
const apostrophe = 0x27;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\r\n]/.test(character)) return lineEnd;
  if (/[a-z]/.test(character)) return small;
  if (/[A-Z]/.test(character)) return capital;
  return /\d/.test(character) ? digit : code <= 0x20 ? space : mark;
});

export function estimateTokens(text: string): number {
  let tokens = 0;
  let before = lineEnd;
  let isTied = false;
  for (let start = 0; start < text.length; ) {
    const kind = kindAt(text, start);
    const end = findEnd(text, start, kind);
    const length = end - start;
    if (kind === small || kind === capital) tokens += weighWord(length, isTied);
    else tokens += weighRun(kind, length, before, kindAt(text, end));
    isTied = kind === mark && length === 1;
    before = kind;
    start = end;
  }
  return Math.ceil(tokens);
}

/** Tokens of one message or definition as JSON, with a little for its frame. */
export function estimateJsonTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? "") + 4;
}

/** Past the end of a text everything that was begun is over. */
function kindAt(text: string, position: number): number {
  if (position >= text.length) return lineEnd;
  const code = text.charCodeAt(position);
  // An index beyond the table would be slow.
  return code < 128 ? (asciiKinds[code] ?? mark) : kindBeyondAscii(code);
}

function kindBeyondAscii(code: number): number {
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2e80)) return mark;
  if (code < 0x250 || (code >= 0x1e00 && code < 0x1f00)) return small;
  if (code < 0x2e80) return foreign;
  if (code >= 0x3001 && code <= 0x301f) return mark;
  return code >= 0xff00 ? mark : wide;
}

/** Of a word: capitals, then small letters, with what an apostrophe ties to them. Of all else: the run of its kind. */
function findEnd(text: string, start: number, kind: number): number {
  let last = kind;
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    // As in `kindAt`, without a call for each character: before code is compiled, calls are most of what this takes.
    const next = code < 128 ? asciiKinds[code] : kindBeyondAscii(code);
    if (next === last) continue;
    if (last === capital && next === small) last = small;
    else if (last !== small || code !== apostrophe || kindAt(text, end + 1) !== small) break;
  }
  return end;
}

/** Most words are one token; long ones are two or three, and more of them where no blank precedes. */
function weighWord(length: number, isTied: boolean): number {
  const long = Math.max(0, Math.min(length, 12) - 7) * 0.055 + Math.max(0, length - 12) * 0.3;
  return 1 + long + (isTied ? 0.1 + 0.04 * Math.min(length, 10) : 0);
}

function weighRun(kind: number, length: number, before: number, after: number): number {
  switch (kind) {
    case digit:
      return Math.ceil(length / 3);
    case space:
      return length > 1 || after === digit ? 1 : 0;
    case lineEnd:
      return before === mark ? 0 : 1;
    case mark: {
      const joinsWord = length === 1 && (after === small || after === capital) && before !== space;
      return joinsWord ? 0 : 1 + Math.max(0, length - 2) * 0.45;
    }
    case wide:
      return length * 0.77;
    default:
      return length * 0.35;
  }
}
