import { describe, expect, it } from "vitest";
import { retell } from "./retell.ts";
import { createWords } from "./words.ts";

const english = createWords("english");
const chinese = createWords("chinese");

type Sentence = string | ((...parameters: string[]) => string);

const all = Object.entries<Sentence>(english.sentences.wishes).map(([key, sentence]) => ({ key, sentence }));

function fill(sentence: Sentence): string {
  return typeof sentence === "string" ? sentence : sentence("A1", "B2", "C3", "D4");
}

describe("retell", () => {
  it.each(all)("says $key in Chinese with everything that was filled in", ({ key, sentence }) => {
    const sentences: Record<string, Sentence> = chinese.sentences.wishes;
    const told = retell(fill(sentence), chinese);
    expect(told).toBe(fill(sentences[key] ?? ""));
  });

  it.each(all)("leaves $key as it is in English", ({ sentence }) => {
    expect(retell(fill(sentence), english)).toBe(fill(sentence));
  });

  it("leaves alone what it does not know, also where it looks like a pattern", () => {
    for (const text of ["", "the host says: a value is expected", "$& $1 \\ (.*)"])
      expect(retell(text, chinese)).toBe(text);
  });
});
