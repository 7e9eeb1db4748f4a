// Commands that mean harm and commands of every day, judged one by one. The corpora carry a class for each line.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CommandJudgement } from "../src/guards/command/command-policy.ts";
import {
  type CommandGround,
  type CorpusLine,
  createCommandGround,
  readCorpus,
} from "./support/command-corpus.ts";
import { sampled } from "./support/long-form.ts";
import { owner } from "./support/tool-context.ts";

const hostile = readCorpus("hostile");
const honest = readCorpus("honest");

async function judgeAll(lines: CorpusLine[], { fill, createPolicy }: CommandGround, isContained: boolean) {
  const policy = createPolicy({ isContained: () => isContained });
  const judged: Array<[text: string, judgement: CommandJudgement]> = [];
  for (const { text } of lines) judged.push([text, await policy.judge(fill(text), { origin: owner })]);
  return judged;
}

/** For a readable list of what went wrong. */
const toClasses = (judged: Array<[string, CommandJudgement]>) =>
  judged.map(([text, judgement]) => [text, judgement.class]);

/** A line with its names, numbers and paths taken out. */
function toShape(text: string): string {
  return text
    .replaceAll(/[a-z]+:\/\/[^\s"')]+/g, "URL")
    .replaceAll(/[^\s"'=:@<>|;&(){},`$]*\/[^\s"'=:@<>|;&(){},`]*/g, "PATH")
    .replaceAll(/[\p{L}\w-]+(\.[\p{L}\w-]+)+/gu, "NAME")
    .replaceAll(/\$\{?[A-Za-z_]\w*/g, "$VARIABLE")
    .replaceAll(/\d+/g, "0");
}

describe.each([
  ["hostile", hostile],
  ["honest", honest],
] as const)("the %s lines", (_, lines) => {
  it("are many, of many classes, and no two alike", () => {
    expect(lines.length).toBeGreaterThan(320);
    expect(new Set(lines.map(({ kind }) => kind)).size).toBeGreaterThan(25);
    const seen = new Map<string, string>();
    const alike = lines.flatMap(({ text }) => {
      const shape = toShape(text);
      const other = seen.get(shape);
      seen.set(shape, text);
      return other === undefined ? [] : [[other, text]];
    });
    expect(alike).toEqual([]);
  });
});

describe("a hostile line", () => {
  it("never runs without approval, neither in a sandbox nor outside of one", async () => {
    const ground = await createCommandGround({ hasLinks: true });
    for (const isContained of [true, false]) {
      const judged = await judgeAll(hostile, ground, isContained);
      expect(toClasses(judged).filter(([, one]) => one === "harmless")).toEqual([]);
    }
  });
});

describe("an honest line", () => {
  const needsNetwork = ({ kind }: CorpusLine) => kind.startsWith("network");
  const local = honest.filter((line) => !needsNetwork(line));

  it("is never refused", async () => {
    const judged = await judgeAll(honest, await createCommandGround({ hasLinks: false }), false);
    expect(toClasses(judged).filter(([, one]) => one === "refused")).toEqual([]);
  });

  it("runs without a question in a sandbox, but for very few", async () => {
    const judged = await judgeAll(local, await createCommandGround({ hasLinks: false }), true);
    const asked = judged.filter(([, judgement]) => judgement.class !== "harmless");
    expect(asked.length / local.length).toBeLessThan(0.02);
  });

  it("is asked about where it needs the network, which is said", async () => {
    const judged = await judgeAll(
      honest.filter(needsNetwork),
      await createCommandGround({ hasLinks: false }),
      true,
    );
    expect(judged.filter(([, one]) => one.class !== "ask" || !one.needsNetwork)).toEqual([]);
  });
});

describe("whatever stands around a hostile line", () => {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const wrappers: Array<(line: string) => string> = [
    (line) => `sh -c ${quote(line)}`,
    (line) => `eval ${quote(line)}`,
    (line) => `env LANG=C timeout 9 bash -c ${quote(line)}`,
    (line) => `HIDDEN=${quote(line)}; eval "$HIDDEN"`,
    (line) => `(${line}\n)`,
    (line) => `{ ${line}\n}`,
    (line) => `if true; then ${line}\nfi`,
    (line) => `for i in 1 2; do ${line}\ndone`,
    (line) => `f() { ${line}\n}; f`,
    (line) => `echo "$(${line}\n)"`,
    (line) => `ls src && ${line}`,
    (line) => `cd src; cd ..; ${line}`,
    (line) => `bash <<'END'\n${line}\nEND`,
    (line) => `find src -name x -exec sh -c ${quote(line)} \\;`,
    (line) => `trap ${quote(line)} EXIT`,
    (line) => `nice -n 5 nohup sh -c ${quote(line)} &`,
    (line) => `cat <(${line}\n)`,
  ];

  it("it stays one that does not just run", async () => {
    const { fill, createPolicy } = await createCommandGround({ hasLinks: true });
    const policy = createPolicy({ isContained: () => true });
    const wellFormed = hostile.filter(({ kind }) => kind !== "malformed");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...wellFormed),
        fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 3 }),
        async ({ text }, around) => {
          const command = around.reduce((line, wrap) => wrap(line), fill(text));
          expect((await policy.judge(command, { origin: owner })).class).not.toBe("harmless");
        },
      ),
      { numRuns: sampled(100, 400) },
    );
  });
});

describe("any text", () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      ..."ab1 /.~$`'\"\\;&|<>(){}[]*?!#\n\t=%+-,:早",
      "$(",
      "${",
      "$'",
      "<<",
      "cat ",
      "rm ",
      "cd ",
    ),
    maxLength: 40,
  });

  it("is judged, and asked about or refused when it is no proper line", async () => {
    const { createPolicy } = await createCommandGround({ hasLinks: true });
    const { parse } = await import("unbash");
    const policy = createPolicy({ isContained: () => true });
    await fc.assert(
      fc.asyncProperty(fc.oneof(nasty, fc.string({ unit: "binary" })), async (text) => {
        const judgement = await policy.judge(text, { origin: owner });
        if (parse(text).errors !== undefined) expect(judgement.class).not.toBe("harmless");
        if (judgement.class !== "harmless") expect(judgement.reasons[0]?.code).toMatch(/^(approval|file)\./);
      }),
      { numRuns: sampled(250, 1000) },
    );
  });

  it("is resolved to the words that bash itself makes of it", async () => {
    const { createPolicy, workspace, home } = await createCommandGround({ hasLinks: false });
    const policy = createPolicy();
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const command = `printf '<%s>' x${text}`;
        const judgement = await policy.judge(command, { origin: owner });
        const [words = [], ...others] = judgement.segments;
        // What is only known to be unknown stands there as it was written.
        const isExact = words.every((word) => !/[$`*?[\]\\]|^~|=.*:~/.test(word));
        if (judgement.class !== "harmless" || others.length > 0 || !isExact || /[<>|&]/.test(text)) return;
        compared++;
        const { stdout, status } = spawnSync("bash", ["-c", command], {
          cwd: workspace,
          encoding: "utf8",
          env: { HOME: home },
        });
        // What bash cannot work out ends the line.
        if (status !== 0 && stdout === "") return;
        // Of process numbers and the like only that they are numbers is known.
        expect(stdout.replaceAll(/\d+/g, "0")).toBe(
          words
            .slice(2)
            .map((word) => `<${word}>`)
            .join("")
            .replaceAll(/\d+/g, "0"),
        );
      }),
      { numRuns: sampled(250, 1000) },
    );
    expect(compared).toBeGreaterThan(20);
  });

  it.each([
    ["a long word", `echo ${"x".repeat(29_000)}`],
    ["many words", `echo ${"x ".repeat(14_000)}`],
    ["many commands", "ls;".repeat(9000)],
    ["a long pipe", `ls${"|cat".repeat(7000)}`],
    ["deep parentheses", `${"(".repeat(5000)}ls${")".repeat(5000)}`],
    ["deep substitutions", `echo ${"$(echo ".repeat(2000)}x${")".repeat(2000)}`],
    [
      "deep quotes",
      Array.from({ length: 12 })
        .reduce<string>((line) => `sh -c '${line.replaceAll("'", "'\\''")}'`, "ls")
        .slice(0, 29_000),
    ],
    ["loops in loops", `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(40)}ls${"; done".repeat(40)}`],
    ["functions in functions", `${"f() { f; ".repeat(300)}ls${"; }".repeat(300)}`],
    ["many braces", `echo ${"{a,b,c,d}".repeat(200)}`],
    ["many patterns", `cat ${"*/".repeat(300)}`],
    ["backticks", `echo ${"`echo ".repeat(500)}`],
    [
      "many variables",
      `${Array.from({ length: 1500 }, (_, index) => `a${index}=$a${index - 1}$a${index - 1}`).join(";")}; echo $a1499`,
    ],
    ["too long a line", "x".repeat(2_000_000)],
  ])("is judged in bounded time: %s", async (_, command) => {
    const { createPolicy } = await createCommandGround({ hasLinks: false });
    expect((await createPolicy().judge(command, { origin: owner })).class).toMatch(/^(harmless|ask)$/);
  });
});
