import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/support/long-form.ts";
import { createThinkFilter, type Stripped, stripThinking } from "./think-tags.ts";

describe("stripping a whole text", () => {
  it.each<[title: string, input: string, text: string, thinking: string]>([
    ["takes out a closed block at the start", "<think>plan</think>\n\nHello", "Hello", "plan"],
    ["takes out a closed block in the middle", "One <thinking>hm</thinking>two", "One two", "hm"],
    ["takes out a closed block at the end", "Done.\n<thought>ok</thought>", "Done.", "ok"],
    ["joins several blocks", "<think>a</think>x<thought>b</thought>y", "xy", "a\n\nb"],
    ["accepts another of the three names as the closing tag", "<thinking>a</think>b", "b", "a"],
    [
      "removes a block that was never closed at the start, to the end",
      "<think>all of it\nis thought",
      "",
      "all of it\nis thought",
    ],
    ["removes it after white space too", "\n  <thought>x", "", "x"],
    [
      "keeps an opening tag that is only mentioned",
      "Models write <think> before they answer.",
      "Models write <think> before they answer.",
      "",
    ],
    [
      "keeps two mentioned opening tags",
      "Both <think> and <thought> exist",
      "Both <think> and <thought> exist",
      "",
    ],
    ["removes empty tags at the edges", "<thinking/>Hi<think />", "Hi", ""],
    ["keeps an empty tag in the middle", "write <thinking/> there", "write <thinking/> there", ""],
    ["removes the text of a tag that lost its bracket", "<think我来看看", "我来看看", ""],
    ["removes it in the middle too", "好的<thinking\n答案", "好的\n答案", ""],
    [
      "leaves longer names alone",
      "<thinker> <think-tank> <think_x> <think:a> <thoughtful>",
      "<thinker> <think-tank> <think_x> <think:a> <thoughtful>",
      "",
    ],
    ["removes an orphan closing tag at the start", "</think>\nHello", "Hello", ""],
    ["removes orphan closing tags at the end", "Hello </thought>\n</think> ", "Hello", ""],
    ["keeps an orphan closing tag in the middle", "a </think> b", "a </think> b", ""],
    ["removes a channel mark at the start", "<|channel|>Hello", "Hello", ""],
    ["removes the other channel mark at the start", " <channel|> Hello", "Hello", ""],
    ["keeps channel marks elsewhere", "the <|channel|> mark", "the <|channel|> mark", ""],
    ["drops a tag that was cut off at the end", "Hello <thi", "Hello", ""],
    ["drops a closing tag that was cut off at the end", "Hello </tho", "Hello", ""],
    ["drops a channel mark that was cut off at the start", "<|chan", "", ""],
    ["keeps an end that could be anything", "is a <t", "is a <t", ""],
    ["keeps a lone bracket", "1 <", "1 <", ""],
    ["keeps markup", "<b>bold</b> <th>head</th>", "<b>bold</b> <th>head</th>", ""],
    ["drops a cut closing tag from the reasoning", "<think>abc</thi", "", "abc"],
    ["trims", "  \n a b \n ", "a b", ""],
    ["gives nothing for nothing", "", "", ""],
  ])("%s", (_title, input, text, thinking) => {
    expect(stripThinking(input)).toEqual({ text, thinking });
  });
});

function stripInChunks(chunks: readonly string[]): Stripped & { deltas: string[] } {
  const filter = createThinkFilter();
  const deltas: string[] = [];
  let thinking = "";
  for (const { text, reasoning } of [...chunks.map((chunk) => filter.push(chunk)), filter.end()]) {
    deltas.push(text);
    thinking += reasoning;
  }
  return { text: deltas.join(""), thinking, deltas };
}

const pieces = fc.constantFrom(
  ..."<think> </think> <thinking> </thinking> <thought> </thought> <thinking/> <think <thou < > / | a 我 x\ny".split(
    " ",
  ),
  "<think />",
  "<|channel|>",
  "<channel|>",
  " ",
  "\n",
  "word",
);
const soup = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(""));
const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 12 });

function cutAt(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => Math.min(place, text.length)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
}

describe("stripping a stream", () => {
  it("gives the same as the whole text, however it is cut", () => {
    fc.assert(
      fc.property(soup, cuts, (text, places) => {
        const { deltas: _, ...streamed } = stripInChunks(cutAt(text, places));
        expect(streamed).toEqual(stripThinking(text));
      }),
      { numRuns: cases(3000) },
    );
  });

  it("gives the same one character at a time", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { deltas: _, ...streamed } = stripInChunks([...text]);
        expect(streamed).toEqual(stripThinking(text));
      }),
      { numRuns: cases(1000) },
    );
  });

  it("takes exactly a closed block out of any text without brackets", () => {
    const plain = fc.string({ maxLength: 30 }).map((text) => text.replaceAll("<", ""));
    fc.assert(
      fc.property(plain, plain, plain, (before, inside, after) => {
        expect(stripThinking(`${before}<think>${inside}</think>${after}`).text).toBe((before + after).trim());
      }),
    );
  });

  it("withholds what may become a tag and shows it once it is none", () => {
    const { deltas } = stripInChunks(["Hello <thi", "s> there"]);
    expect(deltas).toEqual(["Hello", " <this> there", ""]);
  });

  it("keeps a character at the very start that came in two halves", () => {
    expect(stripInChunks(["\ud83d", "\ude00 hi"]).text).toBe("😀 hi");
  });

  it("shows reasoning at the start as it comes", () => {
    const filter = createThinkFilter();
    expect(filter.push("<think>first ")).toEqual({ text: "", reasoning: "first" });
    expect(filter.push("second</thi")).toEqual({ text: "", reasoning: " second" });
    expect(filter.push("nk>Answer")).toEqual({ text: "Answer", reasoning: "" });
  });

  it("shows text after a block in the middle only when it is known to be closed", () => {
    const { deltas } = stripInChunks(["a <think>b", " c", "</think>", " d"]);
    expect(deltas).toEqual(["a", "", "", "  d", ""]);
  });
});
