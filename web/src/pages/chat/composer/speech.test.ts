import { describe, expect, it } from "vitest";
import { toSpeech } from "./speech.ts";

describe("what is read aloud", () => {
  it("is the words: no marks, no code, no addresses", () => {
    const text =
      "# Tea\n\n- **Green** [tea](https://a.example)\n\n```js\nlet a = 1;\n```\nSee https://b.example/c now.";
    expect(toSpeech(text)).toEqual({ pieces: ["Tea", "Green tea", "See now."], language: undefined });
  });

  it("is cut between sentences and words, and bounded", () => {
    expect(toSpeech("One. Two! 三。四").pieces).toEqual(["One.", "Two!", "三。", "四"]);
    const { pieces } = toSpeech("word ".repeat(100_000));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(220);
    expect(pieces.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ["你好，世界。", "zh-CN"],
    ["こんにちは世界", "ja-JP"],
    ["안녕하세요", "ko-KR"],
    ["Hello", undefined],
  ])("has the language of the text: %s", (text, language) => {
    expect(toSpeech(text).language).toBe(language);
  });
});
