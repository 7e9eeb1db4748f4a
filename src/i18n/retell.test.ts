import { describe, expect, it } from "vitest";
import { HomeLockedError } from "../lib/home-lock.ts";
import { toSessionFileError } from "../session/session-file-error.ts";
import { englishCommands } from "./en/commands.ts";
import { retell } from "./retell.ts";
import { createWords } from "./words.ts";

const english = createWords("english");
const chinese = createWords("chinese");

type Sentence = string | ((...parameters: string[]) => string);

const all = (["model", "around", "wishes"] as const).flatMap((group) =>
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

  it("retells several sentences in one text, and leaves the names between them", () => {
    const { overloaded, quota } = english.sentences.model;
    const text = `first: ${overloaded("A", " (529)")} second: ${quota("B", "")} It asks to wait 7 minutes.`;
    const { overloaded: busy, quota: spent } = chinese.sentences.model;
    expect(retell(text, chinese)).toBe(
      `first: ${busy("A", " (529)")} second: ${spent("B", "")} 它要求等待 7 分钟。`,
    );
  });

  it("says whose budget is used up, and of which time", () => {
    const told = (what: string) =>
      retell(english.sentences.around.budgetUsed(what, "2200 of 2000 tokens"), chinese);
    expect(told("this turn")).toMatch(/^本回合的预算已用完：2200，上限 2000 token。/);
    expect(told('"cron" today')).toMatch(/^“cron”今天的预算已用完/);
    expect(told("ann this month")).toMatch(/^ann本月的预算已用完/);
  });

  it("says who holds the home", () => {
    const holder = { pid: 4711, purpose: "session cli:direct", since: "2026-08-01T10:00:00" };
    const known = retell(new HomeLockedError("/home/a/.nanobot", holder).message, chinese);
    expect(known).toBe(
      "另一个 nanobot（进程 4711，session cli:direct，自 2026-08-01T10:00:00 起）正在使用 /home/a/.nanobot。请等它完成，或结束那个进程，然后再试。",
    );
    const unknown = retell(new HomeLockedError("/home/a/.nanobot", undefined).message, chinese);
    expect(unknown).toBe("另一个 nanobot 正在使用 /home/a/.nanobot。请等它完成，或结束那个进程，然后再试。");
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
    expect(retell(english.sentences.model.server("$&", " (500: $1)"), chinese)).toContain(
      "$& 没能回答 (500: $1)。",
    );
  });

  it("finds each reason of a question about a command, whatever stands beside it", () => {
    const reasons = Object.entries<Sentence>(englishCommands);
    const others = Object.values<Sentence>(englishCommands).map(fill);
    for (const [index, [key, reason]] of reasons.entries()) {
      const beside = others[(index + 7) % others.length] ?? "";
      const told = retell(`${beside} ${fill(reason)}`, chinese, "question");
      const sentences: Record<string, Sentence> = chinese.sentences.guards;
      expect(told.endsWith(` ${fill(sentences[key] ?? "")}`)).toBe(true);
      expect(told).not.toMatch(/[a-z] [a-z]/);
    }
  });
});
