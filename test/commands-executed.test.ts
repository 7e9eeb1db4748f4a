// What the policy calls harmless is really run here, by bash, without any sandbox: scripts made of pieces that are good
// at leading astray, of which none may read what is outside of the workspace or change what is not its own.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createCommandGround } from "./support/command-corpus.ts";
import { sampled } from "./support/long-form.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { owner } from "./support/tool-context.ts";

const word = fc.constantFrom(
  ..."notes.md src src/deep . .. ../.. new new/x secret.md memory memory/history.jsonl history.jsonl ~".split(
    " ",
  ),
  ..."outside/secret.md ../outside/secret.md ../../outside/secret.md ../../../outside/secret.md".split(" "),
  ..."inside-link inside-link/.. deep-link deep-link/../../../outside/secret.md".split(" "),
  ..."folder-link folder-link/secret.md link new/../../outside/secret.md".split(" "),
  ..."src/* * $X/* */secret.md ../out*/secret.md {src,..}/outside/secret.md".split(" "),
  ..."$X $Y $Z $1 $! $X/secret.md ../$X $X/../outside/secret.md .$Z./outside/secret.md".split(" "),
  '"$X"',
  '""',
  ["$", "{X%/*}"].join(""),
  "$(echo ..)",
  "$(basename $X)",
  "$(pwd)/..",
  "..$(date +)/outside/secret.md",
);

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const withOne = (shape: (one: string) => string) => word.map(shape);
const withTwo = (shape: (one: string, other: string) => string) =>
  fc.tuple(word, word).map((two) => shape(...two));

const { script } = fc.letrec<{ script: string; simple: string }>((tie) => ({
  simple: fc.oneof(
    { weight: 4, arbitrary: withOne((one) => `cat ${one}`) },
    { weight: 4, arbitrary: withOne((one) => `cd ${one}`) },
    { weight: 4, arbitrary: withOne((one) => `X=${one}`) },
    withTwo((one, other) => `X=${one} Y=${other}`),
    withOne((one) => `X+=${one}`),
    withOne((one) => `export X=${one}`),
    withOne((one) => `printf -v X %s ${one}`),
    withOne((one) => `read X <<< ${one}`),
    withOne((one) => `read -r X < ${one}`),
    withOne((one) => `echo evil > ${one}`),
    withOne((one) => `echo evil >> ${one}`),
    withOne((one) => `tee ${one} <<< evil`),
    withOne((one) => `sed -i s/a/b/ ${one}`),
    withOne((one) => `sort ${one} -o new`),
    withOne((one) => `mkdir -p ${one}`),
    withOne((one) => `touch ${one}`),
    withOne((one) => `rm -f ${one}`),
    withOne((one) => `rmdir ${one}`),
    withTwo((one, other) => `mv ${one} ${other}`),
    withTwo((one, other) => `cp ${one} ${other}`),
    withTwo((one, other) => `cp -r ${one} ${other}`),
    withTwo((one, other) => `ln -s ${one} ${other}`),
    withOne((one) => `pushd ${one}`),
    withOne((one) => `trap ${quote(`cat ${one}`)} EXIT`),
    withOne((one) => `find ${one} -maxdepth 1 -name 's*.md' -exec cat {} \\;`),
    withOne((one) => `echo ${one} | xargs cat`),
    fc.constantFrom("unset X", "f", "g", "f ..", "popd", "cd -", "cd", "true", "false", "set -- .."),
    tie("script").map((inner) => `eval ${quote(inner)}`),
    tie("script").map((inner) => `sh -c ${quote(inner)}`),
  ),
  script: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 6, arbitrary: tie("simple") },
    { weight: 6, arbitrary: fc.tuple(tie("script"), tie("script")).map((two) => two.join("\n")) },
    fc.tuple(tie("simple"), tie("simple")).map((two) => two.join(" && ")),
    fc.tuple(tie("simple"), tie("simple")).map((two) => two.join(" || ")),
    fc.tuple(tie("script"), tie("script")).map(([one, other]) => `{ ${one}\n} | { ${other}\n}`),
    fc.tuple(tie("script"), tie("script")).map(([one, other]) => `if ${one}\nthen ${other}\nfi`),
    fc
      .tuple(word, word, tie("script"))
      .map(([one, other, inner]) => `for X in ${one} ${other}; do ${inner}\ndone`),
    fc.tuple(word, tie("script")).map(([one, inner]) => `while read X; do ${inner}\ndone <<< ${one}`),
    fc.tuple(fc.constantFrom("f", "g"), tie("script")).map(([name, inner]) => `${name}() { ${inner}\n}`),
    fc.tuple(tie("script"), word).map(([inner, one]) => `{ ${inner}\n} > ${one}`),
    tie("script").map((inner) => `(${inner}\n)`),
    tie("script").map((inner) => `echo "$(${inner}\n)"`),
    tie("script").map((inner) => `{ ${inner}\n} & wait`),
  ),
}));

it("harmless scripts stay inside, however they are built", async () => {
  const { createPolicy, workspace, outside, home } = await createCommandGround({ hasLinks: true });
  const base = dirname(workspace);
  const secret = "only outside";
  writeFileSync(join(outside, "secret.md"), secret);
  const kept = await createTemporaryFolder();
  cpSync(base, kept, { recursive: true, verbatimSymlinks: true });
  const look = () =>
    [base, outside, home, join(home, ".nanobot")].map((folder) => readdirSync(folder).sort().join());
  const before = look();
  const policy = createPolicy();
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(script, async (text) => {
      if ((await policy.judge(text, { origin: owner })).class !== "harmless") return;
      ran++;
      const env = { HOME: home, PATH: process.env.PATH };
      const { stdout } = spawnSync("bash", ["-c", text], {
        cwd: workspace,
        encoding: "utf8",
        env,
        timeout: 3000,
      });
      const after = look();
      const texts = [join(outside, "secret.md"), join(workspace, "memory/history.jsonl")].map((path) =>
        readFileSync(path, "utf8"),
      );
      for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true });
      cpSync(kept, base, { recursive: true, verbatimSymlinks: true });
      expect({ after, texts, isTold: stdout.includes(secret) }).toEqual({
        after: before,
        texts: [secret, ""],
        isTold: false,
      });
    }),
    { numRuns: sampled(80, 250) },
  );
  expect(ran).toBeGreaterThan(sampled(10, 20));
});
