import { expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

it.each([
  [
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a;b\r\n1,5;2",
    [
      ["a", "b"],
      ["1,5", "2"],
    ],
  ],
  [
    'name\tsaid\nAna\t"one\ntwo ""three"""',
    [
      ["name", "said"],
      ["Ana", 'one\ntwo "three"'],
    ],
  ],
  ["", []],
  ['"never closed', [["never closed"]]],
])("reads %j", (text, rows) => {
  expect(parseCsv(text, 100)).toEqual({ rows, isMore: false });
});

it("stops at the bound", () => {
  const { rows, isMore } = parseCsv("x\n".repeat(500), 100);
  expect([rows.length, isMore]).toEqual([100, true]);
});
