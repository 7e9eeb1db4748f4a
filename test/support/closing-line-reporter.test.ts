import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProgram } from "./start-program.ts";

const project = join(import.meta.dirname, "../..");
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nanobot-reporter-"));
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function closingLines(
  files: Record<string, string>,
): Promise<{ code: number | null; lines: string[] }> {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), `import { beforeAll, describe, expect, test } from "vitest";\n${text}\n`);
  }
  const reporter = join(project, "test/support/closing-line-reporter.ts");
  const vitest = join(project, "node_modules/vitest/vitest.mjs");
  const argv = [vitest, "run", "--root", root, "--reporter=default", `--reporter=${reporter}`];
  const { code, stdout } = await runProgram([process.execPath, ...argv], { cwd: root });
  const isOurs = (line: string) => /^(failed: |\d+ skipped$|\d+ passed, \d+ failed$)/.test(line);
  return { code, lines: stdout.trimEnd().split("\n").filter(isOurs) };
}

test("the last line counts what passed and failed, also files, suites and errors outside every test", async () => {
  const suite = 'beforeAll(() => { throw new Error("no"); }); test("one", () => {});';
  const { code, lines } = await closingLines({
    "a.test.ts": 'test("one", () => expect(1).toBe(1)); test("two", () => expect(1).toBe(2));',
    "b.test.ts": 'test("three", () => expect(1).toBe(1));',
    "not-loaded.test.ts": 'test("one", () => {}); throw new Error("not loaded");',
    "outside.test.ts": 'test("two", () => void Promise.reject(new Error("nobody waits for it")));',
    "suite.test.ts": `describe("suite", () => { ${suite} });`,
  });
  const [closing, ...named] = lines.toReversed();
  expect(closing).toBe("3 passed, 4 failed");
  expect(named.filter((line) => line.startsWith("failed: ")).toSorted()).toEqual([
    "failed: a.test.ts > two",
    "failed: not-loaded.test.ts",
    "failed: outside every test: nobody waits for it",
    "failed: suite.test.ts > suite",
  ]);
  expect(code).toBe(1);
});

test("a run without a test file is a failure", async () => {
  const { code, lines } = await closingLines({ "other.ts": "" });
  expect(lines).toEqual(["failed: the run itself: no test file was run", "0 passed, 1 failed"]);
  expect(code).toBe(1);
});

test("what was skipped is told apart, so that the last line keeps its form", async () => {
  const { code, lines } = await closingLines({
    "a.test.ts": 'test.skip("one", () => {}); test("two", () => {});',
  });
  expect(lines).toEqual(["1 skipped", "1 passed, 0 failed"]);
  expect(code).toBe(0);
});
