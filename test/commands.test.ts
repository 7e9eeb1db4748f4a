// Commands that mean harm and commands of every day, judged one by one. The corpora carry a class for each line.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLine } from "../src/guards/command/read-line.ts";
import { createCommandGround } from "./support/command-corpus.ts";
import { readCorpus } from "./support/corpus-lines.ts";
import { sampled } from "./support/long-form.ts";
import { owner } from "./support/tool-context.ts";

const hostile = readCorpus("hostile");
const honest = readCorpus("honest");

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

describe("without a sandbox", () => {
  it("no hostile line runs without approval", async () => {
    const { fill, createPolicy } = await createCommandGround({ hasLinks: true });
    const policy = createPolicy();
    const harmless: string[] = [];
    for (const { text } of hostile) {
      const judgement = await policy.judge({ command: fill(text) }, { origin: owner });
      if (judgement.class === "harmless") harmless.push(text);
    }
    expect(harmless).toEqual([]);
  });

  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const wrappers: Array<(line: string) => string> = [
    (line) => `sh -c ${quote(line)}`,
    (line) => `eval ${quote(line)}`,
    (line) => `(${line}\n)`,
    (line) => `{ ${line}\n}`,
    (line) => `if true; then ${line}\nfi`,
    (line) => `f() { ${line}\n}; f`,
    (line) => `echo "$(${line}\n)"`,
    (line) => `ls src && ${line}`,
    (line) => `cd src; cd ..; ${line}`,
    (line) => `bash <<'END'\n${line}\nEND`,
    (line) => `find src -name x -exec sh -c ${quote(line)} \\;`,
    (line) => `trap ${quote(line)} EXIT`,
    (line) => `cat <(${line}\n)`,
  ];

  it("whatever is around a hostile line, it is asked about", async () => {
    const { fill, createPolicy } = await createCommandGround({ hasLinks: true });
    const policy = createPolicy();
    const wellFormed = hostile.filter(({ kind }) => kind !== "malformed");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...wellFormed),
        fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 3 }),
        async ({ text }, around) => {
          const command = around.reduce((line, wrap) => wrap(line), fill(text));
          expect((await policy.judge({ command }, { origin: owner })).class).not.toBe("harmless");
        },
      ),
      { numRuns: sampled(100, 400) },
    );
  });
});

describe("in a sandbox", () => {
  it("no honest line is asked about, whatever is in it", async () => {
    const { fill, createPolicy } = await createCommandGround({ hasLinks: false });
    const policy = createPolicy({ isContained: () => true });
    for (const { text } of honest) {
      const judgement = await policy.judge({ command: fill(text) }, { origin: owner });
      expect([text, judgement.class]).toEqual([text, "harmless"]);
    }
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

  it("is judged, and never runs unasked when it is no proper line and a rule or no sandbox is in its way", async () => {
    const { createPolicy } = await createCommandGround({ hasLinks: true });
    const { parse } = await import("unbash");
    const policies = [createPolicy(), createPolicy({ isContained: () => true, deny: ["rm"] })];
    await fc.assert(
      fc.asyncProperty(fc.oneof(nasty, fc.string({ unit: "binary" })), async (command) => {
        for (const policy of policies) {
          const judgement = await policy.judge({ command }, { origin: owner });
          if (parse(command).errors !== undefined) expect(judgement.class).not.toBe("harmless");
          if (judgement.class !== "harmless") expect(judgement.reasons[0]?.code).toMatch(/^approval\./);
        }
      }),
      { numRuns: sampled(250, 1000) },
    );
  });

  it("is resolved to the words that bash itself makes of it", async () => {
    const { workspace, home } = await createCommandGround({ hasLinks: false });
    const grammar = await import("unbash");
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(nasty, async (text) => {
        const command = `printf '<%s>' x${text}`;
        const { commands, isPlain } = readLine(command, grammar);
        const [first, ...others] = commands;
        if (!isPlain || others.length > 0 || first === undefined) return;
        compared++;
        const { stdout } = spawnSync("bash", ["-c", command], {
          cwd: workspace,
          encoding: "utf8",
          env: { HOME: home },
        });
        const words = first.words.slice(2).map((word) => `<${word.text}>`);
        expect(stdout).toBe(words.join(""));
      }),
      { numRuns: sampled(250, 1000) },
    );
    expect(compared).toBeGreaterThan(10);
  });

  it.each([
    ["a long word", `echo ${"x".repeat(29_000)}`],
    ["many words", `echo ${"x ".repeat(14_000)}`],
    ["many wrappers", "env ".repeat(7000)],
    ["many options", `sudo ${"-u x ".repeat(5000)}`],
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
    ["too long a line", "x".repeat(2_000_000)],
  ])("is judged in bounded time: %s", async (_, command) => {
    const { createPolicy } = await createCommandGround({ hasLinks: false });
    const judgement = await createPolicy({ deny: ["rm"] }).judge({ command }, { origin: owner });
    expect(judgement.class).toMatch(/^(harmless|ask)$/);
  });
});
