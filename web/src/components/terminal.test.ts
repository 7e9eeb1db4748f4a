import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnsi } from "./terminal.tsx";

const esc = String.fromCharCode(27);

test("colours are kept, other sequences are not", () => {
  expect(
    parseAnsi(`${esc}[1;31mred${esc}[0m plain${esc}[2K${esc}]0;title${String.fromCharCode(7)}!`),
  ).toEqual([
    { text: "red", className: "text-bad font-semibold" },
    { text: " plain", className: "" },
    { text: "!", className: "" },
  ]);
});

test("a line that was written over shows its last state", () => {
  expect(parseAnsi("10%\r50%\r100%\nnext\r\n").map(({ text }) => text)).toEqual(["100%\nnext\n"]);
});

test("text without sequences comes through unchanged", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes(esc) && !text.includes("\r")),
      (text) => {
        expect(
          parseAnsi(text)
            .map((run) => run.text)
            .join(""),
        ).toBe(text);
      },
    ),
  );
});
