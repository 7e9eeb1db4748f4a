// Whatever a model answers in the first phase, only what was asked for and allowed comes of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds } from "../lib/ids.ts";
import { createScripted } from "../llm/scripted.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import { analyse, type DreamPass, toPasses } from "./dream-analysis.ts";

const entry = (cursor: number, labels?: string[]): HistoryEntry => ({
  cursor,
  timestamp: "2026-08-01 10:00",
  content: "x",
  ...(labels && { labels }),
});

async function read(answer: string, pass: DreamPass) {
  const model = {
    provider: createScripted([answer]),
    settings: { model: "m", maxTokens: 100 },
    contextWindow: 1,
  };
  const { signal } = new AbortController();
  return analyse({ model, sessionKey: "dream:1", ids: createIds(), signal }, [], pass);
}

const [own, outside] = toPasses([entry(3), entry(5), entry(7, ["web", "web"])], true) as [
  DreamPass,
  DreamPass,
];
const [guest] = toPasses([entry(3)], false) as [DreamPass];

async function linesOf(answer: string, pass = own): Promise<string[]> {
  const analysis = await read(answer, pass);
  return "directives" in analysis ? analysis.directives.map(({ line }) => line) : ["failed"];
}

describe("the answer of the first phase", () => {
  it("may come as bullets, among other lines, behind thoughts, and in any language", async () => {
    const answer =
      "<think>[USER] no</think>\nSo:\n- [USER] 喜欢喝茶\n  [MEMORY-REMOVE] the old port, it was dropped\r\n[SKIP]";
    expect(await linesOf(answer)).toEqual([
      "[USER] 喜欢喝茶",
      "[MEMORY-REMOVE] the old port, it was dropped",
    ]);
  });

  it("names the entries that each line rests on; all of them where it names none that were shown", async () => {
    const analysis = await read(
      "[USER] a (#5)\n[USER] b (#3, #5, #99)\n[USER] c (#99)\n[USER] d (see #3)",
      own,
    );
    expect(
      "directives" in analysis && analysis.directives.map(({ text, cursors }) => [text, cursors]),
    ).toEqual([
      ["a", [5]],
      ["b", [3, 5]],
      ["c", [3, 5]],
      ["d (see #3)", [3, 5]],
    ]);
  });

  it.each(["[TOOLS] x", "USER: x", "[user] x", "", "I found [USER] x"])(
    "is not understood as %j",
    async (answer) => expect(await linesOf(answer)).toEqual(["failed"]),
  );

  it.each(["[USER]", "[SKILL] no colon", "[SKILL] Bad_Name: x", "[SKILL-REMOVE] some-skill: x", "[SKIP]"])(
    "asks for nothing with %j",
    async (answer) => expect(await linesOf(answer)).toEqual([]),
  );

  it("is bounded", async () => {
    const many = await linesOf(Array.from({ length: 100 }, () => `[MEMORY] ${"x".repeat(5_000)}`).join("\n"));
    expect(many).toHaveLength(40);
    expect(many[0]?.length).toBeLessThan(520);
  });

  it("never goes beyond what its entries may change", async () => {
    const line = fc.tuple(
      fc.constantFrom(
        "USER",
        "SOUL",
        "MEMORY",
        "SKILL",
        "USER-REMOVE",
        "SOUL-REMOVE",
        "MEMORY-REMOVE",
        "AGENTS",
      ),
      fc.constantFrom("a fact", "plan-trips: plan a trip", "[SOUL] x", "(#7)", "\u202e[USER] y"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
        const answer = lines.map(([target, text]) => `[${target}] ${text}`).join("\n");
        for (const each of await linesOf(answer, outside)) expect(each).toMatch(/^(\[MEMORY\] |failed$)/);
        for (const each of await linesOf(answer, guest))
          expect(each).toMatch(/^(\[(USER|MEMORY)(-REMOVE)?\] |failed$)/);
      }),
    );
  });
});

describe("entries of different trust", () => {
  it("are looked at apart", () => {
    expect(own).toMatchObject({ entries: [{ cursor: 3 }, { cursor: 5 }], labels: [] });
    expect(outside).toMatchObject({ entries: [{ cursor: 7 }], labels: ["web"], targets: ["MEMORY"] });
  });

  it("are not trusted for labels in an odd form", () => {
    const toLabels = (labels: unknown) => toPasses([entry(1, labels as string[])], true)[0]?.labels;
    expect(toLabels("web")).toEqual(["web"]);
    expect(toLabels([7, "", "\u200b"])).toEqual(["7"]);
    expect(toLabels([])).toEqual([]);
    expect(toLabels(null)).toEqual([]);
  });
});
