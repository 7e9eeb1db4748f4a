import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";

describe("a long text", () => {
  it("is cut at blank lines, then at lines, then at spaces", () => {
    expect(splitText("first part\n\nsecond part", 20)).toEqual(["first part", "second part"]);
    expect(splitText("first line\nsecond line", 20)).toEqual(["first line", "second line"]);
    expect(splitText("aaaaaaaaaa bbbbbbbbbb cccc", 20)).toEqual(["aaaaaaaaaa", "bbbbbbbbbb cccc"]);
  });

  it("that fits is left as it is", () => expect(splitText("你好\n\n世界", 10)).toEqual(["你好\n\n世界"]));

  it("that says nothing is no piece", () => expect(splitText(" \n ", 10)).toEqual([]));

  it("opens a code block again that was cut, with its language", () => {
    const code = `\`\`\`ts\n${"const a = 1;\n".repeat(8)}\`\`\`\nthe end`;
    const pieces = splitText(code, 60);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece).toMatch(/^```ts\n/);
      expect(piece).toMatch(/\n```$/);
    }
    expect(pieces.at(-1)).toContain("the end");
  });

  it("loses no word and keeps to the limit, whatever it is", () => {
    const line = fc.oneof(
      fc.constantFrom("```", "```python", "~~~", "", "# 标题", "- item"),
      fc.string({ unit: fc.constantFrom("a", "字", " ", "😀", "x"), maxLength: 80 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 40, max: 200 }), (lines, most) => {
        const text = lines.join("\n");
        const pieces = splitText(text, most);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(most);
          expect(piece.trim()).not.toBe("");
          expect(piece.isWellFormed()).toBe(true);
        }
        const letters = (value: string) => value.replaceAll(/[^a字x😀]/gu, "");
        const plain = (value: string) => letters(value.replaceAll(/^\s*(```|~~~).*$/gm, ""));
        expect(plain(pieces.join("\n"))).toBe(plain(text));
      }),
    );
  });
});
