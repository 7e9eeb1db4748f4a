import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitWidth, textWidth } from "./text-width.ts";
import { neutralise, reveal, revealLine } from "./visible-text.ts";

describe("foreign text", () => {
  it("is shown, not obeyed", () => {
    expect(neutralise("a\u001b[2Jb\u0007\u007f\u009b1m\rc\n\td")).toBe("a␛[2Jb␇␡<U+009B>1m␍c\n\td");
  });

  it("hides nothing from a person who decides on it", () => {
    expect(reveal("rm \u202eexe.txt\u200b /\u2066x\ufeff")).toBe(
      "rm <U+202E>exe.txt<U+200B> /<U+2066>x<U+FEFF>",
    );
    expect(reveal("tag\u{e0041}")).toBe("tag<U+E0041>");
    expect(revealLine("a\nb\tc")).toBe("a␊b␉c");
  });

  it("keeps ordinary text of any language", () => {
    for (const text of ["naïve café", "你好，世界", "مرحبا", "🐈 ok"]) expect(reveal(text)).toBe(text);
  });
});

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
