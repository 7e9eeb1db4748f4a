// Where JSON text goes wrong and why. V8's own messages quote the text, which may hold a secret, and often lack the place.

/** A code of the catalogue with its parameters, as `Phrase` has them. */
export type JsonFaultReason =
  | {
      code:
        | "json.comment"
        | "json.quotes"
        | "json.extra-comma"
        | "json.open-text"
        | "json.no-colon"
        | "json.no-comma"
        | "json.after-end"
        | "json.no-key"
        | "json.no-value"
        | "json.empty";
      params: object;
    }
  | { code: "json.cut-short"; params: { bracket: string } };

export interface JsonFault {
  line: number;
  column: number;
  reason: JsonFaultReason;
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

function reasonFor(text: string, position: number, expected: Expected): JsonFaultReason {
  return { code: codeFor(text, position, expected), params: {} };
}

function codeFor(
  text: string,
  position: number,
  expected: Expected,
): Exclude<JsonFaultReason["code"], "json.cut-short"> {
  const sign = text.charAt(position);
  if (/^(\/[/*]|#)/.test(text.slice(position, position + 2))) return "json.comment";
  if (sign === "'" || /[\u2018-\u201f]/.test(sign)) return "json.quotes";
  if ((expected === "key" || expected === "value") && /[}\]]/.test(sign)) return "json.extra-comma";
  if (sign === '"' && expected !== "colon" && expected !== "comma-or-end" && expected !== "end")
    return "json.open-text";
  if (expected === "colon") return "json.no-colon";
  if (expected === "comma-or-end") return "json.no-comma";
  if (expected === "end") return "json.after-end";
  return expected.startsWith("key") ? "json.no-key" : "json.no-value";
}

function endReason(open: string[]): JsonFaultReason {
  const bracket = open.at(-1);
  return bracket === undefined
    ? { code: "json.empty", params: {} }
    : { code: "json.cut-short", params: { bracket } };
}

function locate(text: string, position: number, reason: JsonFaultReason): JsonFault {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1, reason };
}
