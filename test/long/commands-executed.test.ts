// What runs unasked is really run here, by bash: without a sandbox what the exact list lets pass, and in the sandbox the
// hostile corpus itself. Nothing outside may be read or changed. `npm run bench -- commands` runs all of both corpora.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCommandGround } from "../support/command-corpus.ts";
import { createCommandTrial } from "../support/command-trial.ts";
import { readCorpus } from "../support/corpus-lines.ts";
import { sampled } from "../support/long-form.ts";
import { hasBubblewrap } from "../support/sandboxed-shell.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { owner } from "../support/tool-context.ts";

const word = fc.constantFrom(
  ..."notes.md src src/deep . .. new secret.md memory memory/history.jsonl history.jsonl ~ -o -n1 -r -f -s".split(
    " ",
  ),
  ..."../outside/secret.md ../../outside/secret.md src/../../outside/secret.md inside-link inside-link/..".split(
    " ",
  ),
  ..."deep-link deep-link/../../../outside/secret.md folder-link folder-link/secret.md link -nsecret.md".split(
    " ",
  ),
  ..."--files0-from=link --output=new -onew > < >> 2>/dev/null 2>&1 $X *.md {src,..} 'a b' \"notes.md\"".split(
    " ",
  ),
);
const program = fc.constantFrom(
  ..."cat ls head tail wc sort uniq grep cut diff cmp comm stat du md5sum tr echo date git rev nl tac".split(
    " ",
  ),
);
const simple = fc
  .tuple(program, fc.array(word, { maxLength: 3 }))
  .map(([name, words]) => [name, ...words].join(" "));
const script = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(" | ", " && ", "; ", " || "), simple), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.flat().join(""));

it("what runs unasked without a sandbox stays inside, however it is built", async () => {
  const { createPolicy, workspace, outside, home } = await createCommandGround({ hasLinks: true });
  const base = dirname(workspace);
  const secret = "only outside";
  writeFileSync(join(outside, "secret.md"), secret);
  const kept = await createTemporaryFolder();
  cpSync(base, kept, { recursive: true, verbatimSymlinks: true });
  const look = () => readdirSync(base, { recursive: true }).sort().join();
  const before = look();
  const policy = createPolicy();
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(script, async (command) => {
      if ((await policy.judge({ command }, { origin: owner })).class !== "harmless") return;
      ran++;
      const env = { HOME: home, PATH: process.env.PATH };
      const options = { cwd: workspace, encoding: "utf8" as const, env, timeout: 3000, input: "" };
      const { stdout } = spawnSync("bash", ["-c", command], options);
      const after = look();
      const text = readFileSync(join(outside, "secret.md"), "utf8");
      if (after !== before) {
        for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true });
        cpSync(kept, base, { recursive: true, verbatimSymlinks: true });
      }
      expect({ after, text, isTold: stdout.includes(secret) }).toEqual({
        after: before,
        text: secret,
        isTold: false,
      });
    }),
    { numRuns: sampled(200, 1000) },
  );
  expect(ran).toBeGreaterThan(sampled(10, 50));
});

describe.runIf(hasBubblewrap())("in the sandbox", () => {
  const some = <T>(lines: T[], count: number) =>
    lines.filter((_, at) => at % Math.ceil(lines.length / count) === 0);

  it("hostile lines have no effect outside", async () => {
    const { fill, runHostile } = await createCommandTrial(await createTemporaryFolder());
    // Those take their whole time.
    const lines = readCorpus("hostile").filter(({ kind }) => kind !== "fork-bomb");
    for (const { text } of some(lines, sampled(30, 200))) {
      const { escaped } = await runHostile(fill(text));
      expect([text, escaped]).toEqual([text, []]);
    }
  });

  it("honest lines work as they do without it", async () => {
    const { fill, runHonest } = await createCommandTrial(await createTemporaryFolder());
    const local = readCorpus("honest").filter(({ kind }) => !kind.startsWith("network"));
    for (const { text } of some(local, sampled(20, 100))) {
      const { bare, sandboxed, output } = await runHonest(fill(text));
      if (bare) expect([text, sandboxed, output]).toEqual([text, true, output]);
    }
  });
});
