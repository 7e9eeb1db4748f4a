import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise } from "../../lib/visible-text.ts";
import { fitWidth, textWidth } from "./text-width.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["中文", 4],
    ["🐈", 2],
    ["👨‍👩‍👧", 2],
    ["e\u0301", 1],
    ["\u001b[1mbold\u001b[22m", 4],
    ["，。", 4],
    ["한국", 4],
    ["❤️", 2],
  ])("%s takes %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("never exceeds the columns it was fitted to", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const fitted = fitWidth(neutralise(text).replaceAll(/[\n\t]/g, " "), columns);
        expect(textWidth(fitted)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
