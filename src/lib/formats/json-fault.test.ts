import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { findJsonFault } from "./json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const fragments = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '"a"',
  '"',
  "1",
  "-",
  "0",
  ".5",
  "e3",
  "true",
  "nul",
  "null",
  " ",
  "\n",
  "\\u00e9",
  "//",
  "'",
  "\u007f",
  "é",
];

describe("findJsonFault", () => {
  test("finds a fault exactly where JSON.parse does", () => {
    const pieces = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string(), fc.json()), (text) => {
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: cases(3000) },
    );
  });

  test("finds a fault in every valid file that was cut short", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (value, share) => {
          const whole = JSON.stringify(value, null, 2);
          const cut = whole.slice(0, Math.floor((whole.length - 1) * share));
          expect(findJsonFault(cut)).toBeDefined();
        },
      ),
    );
  });

  test.each([
    ['{\n  "a": 1,\n}', 3, 1, "json.extra-comma"],
    ['{\n  // key\n  "a": 1\n}', 2, 3, "json.comment"],
    ["{ 'a': 1 }", 1, 3, "json.quotes"],
    ["{ “a”: 1 }", 1, 3, "json.quotes"],
    ["{ a: 1 }", 1, 3, "json.no-key"],
    ['{ "a" 1 }', 1, 7, "json.no-colon"],
    ['{ "a": 1 "b": 2 }', 1, 10, "json.no-comma"],
    ['{ "a": "x\n" }', 1, 8, "json.open-text"],
    ['{ "a": [1, 2 }', 1, 14, "json.no-comma"],
    ['{ "a": yes }', 1, 8, "json.no-value"],
    ['{ "a": 1 } x', 1, 12, "json.after-end"],
    ['{ "中文": 1, "名字": x }', 1, 18, "json.no-value"],
    ['{ "a": 1', 1, 9, "json.cut-short"],
    ["", 1, 1, "json.empty"],
  ])("says where and why: %j", (text, line, column, code) => {
    expect(findJsonFault(text)).toMatchObject({ line, column, reason: { code } });
  });

  test("takes a very long text in its stride", () => {
    expect(findJsonFault(`{"a":"${"x\\n".repeat(1_000_000)}"`)).toMatchObject({ line: 1 });
    expect(findJsonFault(`${"[".repeat(200_000)}`)).toMatchObject({ line: 1, column: 200_001 });
  });
});
