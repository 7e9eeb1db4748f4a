// Where JSON text goes wrong and why. V8's own messages quote the text, which may hold a secret, and often lack the place.

export interface JsonFault {
  line: number;
  column: number;
  reason: string;
}

type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "end";

const space = /[ \t\n\r]*/y;
// Every UTF-16 unit from the blank on, but for the quote and the backslash.
const plain = String.raw`[ !#-\[\]-\uffff]*`;
const text = String.raw`"${plain}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${plain})*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const scalar = new RegExp(`${text}|${number}|true|false|null`, "y");

export function findJsonFault(text: string): JsonFault | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  let position = 0;
  for (;;) {
    position = skip(space, text, position);
    if (position === text.length) break;
    const next = step(text, position, expected, open);
    if (next === undefined) return locate(text, position, reasonFor(text, position, expected));
    position = next.position;
    expected = next.expected;
  }
  return expected === "end" ? undefined : locate(text, position, endReason(open));
}

function step(
  text: string,
  position: number,
  expected: Expected,
  open: string[],
): { position: number; expected: Expected } | undefined {
  const sign = text.charAt(position);
  const after = (next: Expected) => ({ position: position + 1, expected: next });
  if (expected === "colon") return sign === ":" ? after("value") : undefined;
  const mayClose = expected.endsWith("-or-end");
  if (mayClose && (sign === "}" || sign === "]")) {
    if (open.pop() !== sign) return undefined;
    return after(open.length === 0 ? "end" : "comma-or-end");
  }
  if (expected === "comma-or-end") {
    return sign === "," ? after(open.at(-1) === "}" ? "key" : "value") : undefined;
  }
  if (expected === "end") return undefined;
  const isKey = expected.startsWith("key");
  if (!isKey && (sign === "{" || sign === "[")) {
    open.push(sign === "{" ? "}" : "]");
    return after(sign === "{" ? "key-or-end" : "value-or-end");
  }
  if (isKey && sign !== '"') return undefined;
  const end = skip(scalar, text, position);
  if (end === position) return undefined;
  if (isKey) return { position: end, expected: "colon" };
  return { position: end, expected: open.length === 0 ? "end" : "comma-or-end" };
}

function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

function reasonFor(text: string, position: number, expected: Expected): string {
  const sign = text.charAt(position);
  if (/^(\/[/*]|#)/.test(text.slice(position, position + 2))) return "JSON has no comments; remove this one";
  if (sign === "'" || /[\u2018-\u201f]/.test(sign)) return 'text stands in straight double quotes (")';
  if ((expected === "key" || expected === "value") && /[}\]]/.test(sign))
    return "there is a comma or colon too many before it";
  if (sign === '"' && expected !== "colon" && expected !== "comma-or-end" && expected !== "end") {
    return "a text is not closed on its line, or holds a wrong escape";
  }
  if (expected === "colon") return "a colon is missing after the key";
  if (expected === "comma-or-end") return "a comma or a closing bracket is missing before it";
  if (expected === "end") return "there is something after the end";
  return expected.startsWith("key") ? "a key in double quotes is expected" : "a value is expected";
}

function endReason(open: string[]): string {
  const missing = open.at(-1);
  return missing === undefined ? "the file is empty" : `the file ends too early; a ${missing} is missing`;
}

function locate(text: string, position: number, reason: string): JsonFault {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1, reason };
}
