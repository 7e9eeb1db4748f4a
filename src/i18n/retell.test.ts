import { describe, expect, it } from "vitest";
import { toSessionFileError } from "../session/session-file-error.ts";
import { retell } from "./retell.ts";
import { createWords } from "./words.ts";

const english = createWords("english");
const chinese = createWords("chinese");

type Sentence = string | ((...parameters: string[]) => string);

const all = (["around", "wishes"] as const).flatMap((group) =>
  Object.entries<Sentence>(english.sentences[group]).map(([key, sentence]) => ({ group, key, sentence })),
);

function aboutOf(group: string): "turn" | "wish" {
  return group === "wishes" ? "wish" : "turn";
}

function fill(sentence: Sentence): string {
  return typeof sentence === "string" ? sentence : sentence("A1", "B2", "C3", "D4");
}

describe("retell", () => {
  it.each(all)(
    "says $group $key in Chinese with everything that was filled in",
    ({ group, key, sentence }) => {
      const sentences: Record<string, Sentence> = chinese.sentences[group];
      const told = retell(fill(sentence), chinese, aboutOf(group));
      expect(told).toBe(fill(sentences[key] ?? ""));
    },
  );

  it.each(all)("leaves $group $key as it is in English", ({ group, sentence }) => {
    expect(retell(fill(sentence), english, aboutOf(group))).toBe(fill(sentence));
  });

  it("says why a session cannot be used", () => {
    const full = toSessionFileError(
      Object.assign(new Error("full"), { code: "ENOSPC" }),
      "write",
      "/a.jsonl",
    );
    expect(retell((full as Error).message, chinese)).toBe(
      "会话：/a.jsonl 无法写入（ENOSPC）。请腾出一些磁盘空间再试。其中的内容保持不变。",
    );
  });

  it("leaves alone what it does not know, also where it looks like a pattern", () => {
    for (const text of ["", "the host says: a value is expected", "$& $1 \\ (.*)"])
      expect(retell(text, chinese)).toBe(text);
  });
});
