import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createSkillsHome, skillText } from "../../test/support/skills-home.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { SkillEntry } from "./skill.ts";
import { SkillSet } from "./skill-set.ts";

function entryOf(name: string, change: Partial<SkillEntry> = {}): SkillEntry {
  return {
    name,
    description: `Does ${name}.`,
    path: `/skills/${name}/SKILL.md`,
    folder: `/skills/${name}`,
    source: "user",
    always: false,
    requires: { bins: [], anyBins: [], env: [], os: [], tools: [] },
    data: {},
    available: true,
    reasons: [],
    missing: [],
    blocked: false,
    disabled: false,
    isOwn: false,
    isAllowed: false,
    isGranted: false,
    wants: { commands: [], hosts: [], tooMuch: [] },
    notes: [],
    findings: [],
    files: ["SKILL.md"],
    hash: "x",
    ...change,
  };
}

function setOf(entries: SkillEntry[], summaryTokens = 4000): SkillSet {
  return new SkillSet({
    entries,
    roots: ["/ws/skills", "/home/skills"],
    readBody: async ({ name }) => `Body of ${name}.`,
    summaryTokens,
  });
}

const lacking = (name: string, kind: "bins" | "tools" | "os"): Partial<SkillEntry> => ({
  available: false,
  reasons: [{ kind, subject: name }],
  missing: kind === "bins" ? [`CLI: ${name}`] : [],
});

describe("the summary", () => {
  test("is one line for each skill, sorted, with what is missing", () => {
    expect(setOf([entryOf("tea"), entryOf("cake", lacking("oven", "bins"))]).summary()).toBe(
      [
        "<skills>",
        '<skill available="false"><name>cake</name><description>Does cake.</description><location>/skills/cake/SKILL.md</location><requires>CLI: oven</requires></skill>',
        '<skill available="true"><name>tea</name><description>Does tea.</description><location>/skills/tea/SKILL.md</location></skill>',
        "</skills>",
      ].join("\n"),
    );
  });

  test("leaves out what is in the prompt anyway, what is blocked or disabled, and what no installing would help", () => {
    const skills = setOf([
      entryOf("always", { always: true }),
      entryOf("blocked", { available: false, blocked: true, reasons: [{ kind: "flagged", subject: "" }] }),
      entryOf("off", { available: false, disabled: true, reasons: [{ kind: "disabled", subject: "" }] }),
      entryOf("no-tool", lacking("cron", "tools")),
      entryOf("other-system", lacking("windows", "os")),
    ]);
    expect(skills.summary()).toBe("");
  });

  test("shortens descriptions before it hides a skill", () => {
    const entries = Array.from({ length: 40 }, (_, index) =>
      entryOf(`skill-${index}`, { description: "word ".repeat(100) }),
    );
    const summary = setOf(entries).summary();
    expect(summary.match(/<skill /g)).toHaveLength(40);
    expect(summary).toContain("…</description>");
  });

  test("says how many are hidden and how to find them, and hides unusable ones first", () => {
    const entries = Array.from({ length: 100 }, (_, index) =>
      entryOf(`s${String(index).padStart(2, "0")}`, index < 50 ? lacking("x", "bins") : {}),
    );
    const summary = setOf(entries, 1000).summary();
    const shown = Array.from(summary.matchAll(/<name>s(\d\d)/g), ([, number]) => Number(number));
    expect(shown.length).toBeGreaterThan(20);
    expect(Math.min(...shown)).toBe(50);
    expect(summary.split("\n").at(-1)).toBe(
      `${100 - shown.length} more skills are not listed. To find one, grep for its topic in SKILL.md files below: /ws/skills, /home/skills`,
    );
  });

  test("keeps its budget and says of every skill that it is there or that it is hidden", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 64 }), { maxLength: 80 });
    fc.assert(
      fc.property(
        names,
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.nat(3000),
        (all, description, budget) => {
          const entries = all.map((name) => entryOf(name, { description }));
          const summary = setOf(entries, budget).summary();
          const shown = summary.match(/^<skill /gm)?.length ?? 0;
          const hidden = Number(/^(\d+) more skills/m.exec(summary)?.[1] ?? 0);
          expect(shown + hidden).toBe(all.length);
          const noteAlone = 50;
          expect(estimateTokens(summary)).toBeLessThanOrEqual(Math.max(budget, noteAlone));
          expect(setOf(entries.toReversed(), budget).summary()).toBe(summary);
        },
      ),
    );
  });

  test("cannot be broken out of, and gives every text back when it is read as XML", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (name, path, missing) => {
        const change = {
          path,
          missing: [missing],
          available: false,
          reasons: [{ kind: "bins" as const, subject: "" }],
        };
        const [, line = "", end] = setOf([entryOf(name, change)])
          .summary()
          .split("\n");
        expect(end).toBe("</skills>");
        const parts =
          /^<skill available="false"><name>([^<>]*)<\/name><description>[^<>]*<\/description><location>([^<>]*)<\/location><requires>([^<>]*)<\/requires><\/skill>$/.exec(
            line,
          );
        expect(parts?.slice(1).map(fromXml)).toEqual([name, path, missing].map(settle));
      }),
    );
  });
});

function fromXml(text: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", amp: "&" };
  return text.replaceAll(/&(\w+);/g, (_all, name: string) => characters[name] ?? "?");
}

/** Control characters are no part of XML. */
function settle(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, " ");
}

describe("bodies", () => {
  test("are under their names, once each, and unusable ones are left out", async () => {
    const skills = setOf([
      entryOf("tea"),
      entryOf("cake", { files: ["SKILL.md", "bake.py"] }),
      entryOf("off", { available: false }),
    ]);
    expect(await skills.loadForContext(["tea", "cake", "off", "none", "tea"])).toBe(
      "### Skill: tea\n\nBody of tea.\n\n---\n\n### Skill: cake\n\nFiles: /skills/cake\n\nBody of cake.",
    );
    expect(await skills.load("off")).toBeUndefined();
    expect(await skills.loadForContext([])).toBe("");
  });

  test("are named by metadata, always and get", async () => {
    const { createLoader } = await createSkillsHome({
      "skills/tea/SKILL.md": skillText("tea", "always: true\nlicense: MIT\n"),
      "skills/cake/SKILL.md": skillText("cake"),
    });
    const skills = await createLoader().survey();
    expect(skills.always().map(({ name }) => name)).toEqual(["tea"]);
    expect(skills.get("tea")?.data).toEqual({
      name: "tea",
      description: "Does tea.",
      always: true,
      license: "MIT",
    });
    expect(skills.get("none")?.data).toBeUndefined();
    expect(await skills.loadForContext(["tea"])).toBe("### Skill: tea\n\nDo it.");
  });
});

describe("$name in a message", () => {
  const skills = setOf([
    entryOf("pdf"),
    entryOf("pdf-forms"),
    entryOf("天气"),
    entryOf("My Skill"),
    entryOf("PATH"),
    entryOf("memory", { always: true }),
    entryOf("off", { available: false }),
  ]);

  it.each([
    ["use $pdf please", ["pdf"]],
    ["$pdf-forms and $pdf.", ["pdf-forms", "pdf"]],
    ["$pdf $pdf", ["pdf"]],
    ["请用$pdf看看", ["pdf"]],
    ["请用 $天气 查一下", ["天气"]],
    ["run $My Skill now", ["My Skill"]],
    ["($pdf)", ["pdf"]],
    ["$pdfs", []],
    ["$pdf-tools", []],
    ["$pdf_x", []],
    ["a$pdf", []],
    ["\\$pdf", []],
    ["$$pdf", []],
    ["$" + "{pdf}", []],
    ["$HOME/bin costs $5", []],
    ["`$pdf`", []],
    ["```sh\necho $pdf\n```", []],
    ["```sh\necho $pdf", []],
    ["`x` $pdf `y`", ["pdf"]],
    ["$memory $off $none", []],
    ["$PATH", ["PATH"]],
    ["$path", []],
    ["", []],
  ])("%j names %j", (text, names) => {
    expect(skills.findMentionedSkills(text)).toEqual(names);
  });

  test("any text names only usable skills, and never more than five", () => {
    const many = setOf(Array.from({ length: 9 }, (_, index) => entryOf(`s${index}`)));
    expect(many.findMentionedSkills("$s0 $s1 $s2 $s3 $s4 $s5 $s6")).toHaveLength(5);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const name of skills.findMentionedSkills(text)) expect(skills.get(name)?.available).toBe(true);
      }),
    );
  });
});
