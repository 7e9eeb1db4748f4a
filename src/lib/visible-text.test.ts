import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise, reveal, revealLine } from "./visible-text.ts";

describe("foreign text", () => {
  it("is shown, not obeyed", () => {
    expect(neutralise("a\u001b[2Jb\u0007\u007f\u009b1m\rc\n\td")).toBe("a␛[2Jb␇␡<U+009B>1m␍c\n\td");
  });

  it("keeps ordinary text of any language", () => {
    const texts = [
      "naïve café",
      "你好，世界",
      "مرحبا",
      "🐈 ok",
      "e\u0301",
      "ที่นี่",
      "हिन्दी",
      "한국어",
      "if (a) {\n\tb\n}\n",
    ];
    for (const text of texts) expect(reveal(text)).toBe(text);
  });
});

describe("what a person decides on", () => {
  it.each([
    ["a direction", "rm \u202eexe.txt", "rm <U+202E>exe.txt"],
    ["an isolated direction", "/\u2066x\u2069", "/<U+2066>x<U+2069>"],
    ["an Arabic letter mark", "a\u061cb", "a<U+061C>b"],
    ["a character without width", "r\u200bm\ufeff", "r<U+200B>m<U+FEFF>"],
    ["a joiner", "a\u200db", "a<U+200D>b"],
    ["a soft hyphen", "r\u00adm", "r<U+00AD>m"],
    ["a tag", "tag\u{e0041}", "tag<U+E0041>"],
    ["a variation selector", "a\ufe0fb", "a<U+FE0F>b"],
    ["a filler", "a\u3164b", "a<U+3164>b"],
    ["an empty Braille cell", "a\u2800b", "a<U+2800>b"],
    ["a space that is none to a shell", "rm\u00a0-rf\u2003/\u3000x", "rm<U+00A0>-rf<U+2003>/<U+3000>x"],
    ["a line or paragraph separator", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c"],
    ["a form feed, a vertical tab, a next line", "a\fb\vc\u0085d", "a␌b␋c<U+0085>d"],
    ["an escape sequence, in either form", "\u001b]0;x\u0007\u009b2J", "␛]0;x␇<U+009B>2J"],
    ["a carriage return that overwrites", "rm x\rls  ", "rm x␍ls  "],
    ["half a character", "a\ud800b", "a<U+D800>b"],
    ["a character of a font's own", "a\ue0b0b", "a<U+E0B0>b"],
    ["one that is not assigned", "a\u{50000}b", "a<U+50000>b"],
    ["an interlinear note", "a\ufff9b", "a<U+FFF9>b"],
    ["a mark around its neighbour", "a\u20ddb", "a<U+20DD>b"],
    ["marks piled up", "a\u0301\u0302\u0303\u0304", "a\u0301\u0302<U+0303><U+0304>"],
    ["a wide gap", `ls${" ".repeat(60)}; rm x`, "ls<␠×60>; rm x"],
    ["many tabs", `ls${"\t".repeat(20)}; rm x`, "ls<␉×20>; rm x"],
    ["many blank lines", `rm x\n${" \n".repeat(50)}ls`, "rm x\n<␊×51>\nls"],
  ])("shows %s", (_, text, shown) => {
    expect(reveal(text)).toBe(shown);
  });

  it("has one line where one is promised", () => {
    expect(revealLine("a\nb\tc\r\nd")).toBe("a␊b␉c␍␊d");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !/[\r\n\t]/.test(revealLine(text))));
  });

  it("is the same when it is made visible twice, and holds nothing invisible", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = reveal(text);
        expect(reveal(shown)).toBe(shown);
        expect(shown).not.toMatch(/[\p{C}--[\t\n]]|[\p{Z}--[ ]]|\p{Default_Ignorable_Code_Point}/v);
      }),
    );
  });
});
