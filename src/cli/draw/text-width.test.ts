import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise } from "../../lib/visible-text.ts";
import { loadTuiLibrary } from "./markdown.ts";
import { fitWidth, textWidth, toScreen, wrapWords } from "./text-width.ts";

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
    ["🇨🇳", 2],
    ["👍🏽", 2],
    ["a\u200bb", 2],
    ["ｶﾞ", 2],
    ["각", 2],
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

describe("a text in lines", () => {
  it.each([
    ["take it back with /untrust", 20, ["take it back with", "/untrust"]],
    ["under Settings in the browser", 18, ["under Settings in", "the browser"]],
    ["设置在浏览器里，可以修改。", 10, ["设置在浏览", "器里，可以", "修改。"]],
    ["一二三四，五", 8, ["一二三", "四，五"]],
    ["https://example.com/a", 10, ["https://ex", "ample.com/", "a"]],
    ["  two  spaces", 20, ["  two  spaces"]],
    ["a\n\nb", 10, ["a", "", "b"]],
  ])("%j in %i columns", (text, columns, lines) => {
    expect(wrapWords(text, columns)).toEqual(lines);
  });

  it("is styled in every line as it was in one", () => {
    const red = "\u001b[31m";
    expect(wrapWords(`${red}one two\u001b[39m`, 4)).toEqual([`${red}one`, `${red}two\u001b[39m`]);
  });

  it("is never wider than the screen, and nothing of it is lost", async () => {
    const { visibleWidth } = await loadTuiLibrary();
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "中文，",
        "👨‍👩‍👧",
        "e\u0301\u0302",
        "\u200b",
        "한국어",
        "नि",
        "🇨🇳",
        "1️⃣",
        "/untrust",
        " ",
        "\u001b[31m",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 2, max: 130 }), (pieces, columns) => {
        const text = neutralise(pieces.join("")).replaceAll("␛[31m", "\u001b[31m");
        const lines = wrapWords(text, columns);
        for (const line of lines) {
          expect(textWidth(line)).toBeLessThanOrEqual(columns);
          expect(visibleWidth(line)).toBeLessThanOrEqual(columns);
        }
        const bare = (all: string) => stripVTControlCharacters(all).replaceAll(/\s/g, "");
        expect(bare(lines.join(""))).toBe(bare(text));
      }),
    );
  });
});

it("sentences for a terminal break between words, a link stays whole, and a file gets them as they are", () => {
  const link = `Open: http://127.0.0.1:18790/#token=${"x".repeat(43)}`;
  const text = `nanobot is already running. To stop it: npx nanobot gateway stop\n${link}`;
  expect(toScreen(text, { isTTY: true, columns: 60 })).toBe(
    `nanobot is already running. To stop it: npx nanobot gateway\nstop\n${link}`,
  );
  expect(toScreen(text, { columns: 60 })).toBe(text);
});
