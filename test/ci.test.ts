import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "./support/start-program.ts";

let root = "";

/** The real script, with stand-ins for npm, apt-get and the system parts first on its PATH. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nanobot-ci-"));
  cpSync(join(import.meta.dirname, "../.ci/run"), join(root, "project/.ci/run"));
  const parts = ["bwrap", "tmux", "strace", "unshare", "git", "dovecot", "chromium"];
  for (const part of parts) writeCommand(part, "exit 0");
  writeCommand("fc-list", "echo a font");
  writeCommand("apt-get", `echo "$@" >> ${join(root, "apt.log")}`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeCommand(name: string, body: string): void {
  const path = join(root, "bin", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

function writeNpm({
  ci = "exit 0",
  check = "exit 0",
  test = "exit 0",
  keys = 'echo "0 passed, 0 failed"',
  long = 'echo "0 passed, 0 failed"',
}): void {
  const steps = [
    `ci*) ${ci}`,
    `*check*) ${check}`,
    `*test:long*) ${long}`,
    `*) if [ -n "$CATALOGUE" ]; then ${keys}; else ${test}; fi`,
  ];
  writeCommand("npm", `case "$*" in\n${steps.join(";;\n")};;\nesac`);
}

async function run(): Promise<{ code: number | null; lines: string[] }> {
  const env = {
    ...process.env,
    CI: "",
    CATALOGUE: "",
    PATH: [join(root, "bin"), "/usr/bin", "/bin"].join(delimiter),
  };
  const { code, stdout } = await runProgram([join(root, "project/.ci/run")], { env, input: "never read" });
  return { code, lines: stdout.trimEnd().split("\n") };
}

describe(".ci/run", () => {
  test("ends with the closing line of the tests, and with 0 when all is well", async () => {
    writeNpm({ test: 'echo "12 passed, 0 failed"' });
    const { code, lines } = await run();
    expect(lines.at(-1)).toBe("12 passed, 0 failed");
    expect(code).toBe(0);
  });

  test("counts a failing check as a failure, and runs the tests all the same", async () => {
    writeNpm({ check: "echo FAIL types; exit 1", test: 'echo "12 passed, 0 failed"' });
    const { code, lines } = await run();
    expect(lines).toContain("FAIL types");
    expect(lines.slice(-2)).toEqual(["failed: npm run check", "12 passed, 1 failed"]);
    expect(code).toBe(1);
  });

  test("adds tests, those without our sentences and campaigns, and names all that failed once more at the end", async () => {
    writeNpm({
      test: 'echo "failed: one"; echo "failed: two"; echo "12 passed, 2 failed"; exit 1',
      keys: 'echo "failed: three"; echo "10 passed, 1 failed"; exit 1',
      long: 'echo "failed: four"; echo "4 passed, 1 failed"; exit 1',
    });
    const { code, lines } = await run();
    expect(lines.slice(-5)).toEqual([
      "failed: one",
      "failed: two",
      "failed: three",
      "failed: four",
      "26 passed, 4 failed",
    ]);
    expect(code).toBe(1);
  });

  test("counts campaigns that died before their closing line as one failure", async () => {
    writeNpm({ test: 'echo "12 passed, 0 failed"', long: "exit 137" });
    const { lines } = await run();
    expect(lines.slice(-2)).toEqual([
      "failed: npm run test:long --silent ended with 137",
      "12 passed, 1 failed",
    ]);
  });

  test("counts tests that died before their closing line as one failure", async () => {
    writeNpm({ test: "echo no line; exit 137" });
    const { code, lines } = await run();
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
    expect(code).toBe(1);
  });

  test("does not trust a closing line without failures when the tests ended badly", async () => {
    writeNpm({ test: 'echo "12 passed, 0 failed"; exit 1' });
    const { code, lines } = await run();
    expect(lines.at(-1)).toBe("12 passed, 1 failed");
    expect(code).toBe(1);
  });

  test("ends with a failure when the packages cannot be installed", async () => {
    writeNpm({ ci: "exit 1", test: 'echo "12 passed, 0 failed"' });
    const { code, lines } = await run();
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
    expect(code).toBe(1);
  });

  test("gives the steps nothing to read, and tells the tests that every system part is there", async () => {
    writeNpm({ test: 'cat; echo "CI is $CI"; echo "1 passed, 0 failed"' });
    const { lines } = await run();
    expect(lines).toContain("CI is true");
    expect(lines).not.toContain("never read");
    expect(existsSync(join(root, "apt.log"))).toBe(false);
  });

  test("installs a missing system part where it may, and otherwise says what is skipped", async () => {
    const path = join(root, "project/.ci/run");
    const script = readFileSync(path, "utf8");
    writeFileSync(path, script.replace("tmux:tmux", "no-such-program:some-package"));
    writeNpm({ test: 'echo "CI is [$CI]"; echo "1 passed, 0 failed"' });
    const { code, lines } = await run();
    const isRoot = process.getuid?.() === 0;
    const installed = isRoot ? readFileSync(join(root, "apt.log"), "utf8") : "";
    expect(installed.includes("install -y -qq --no-install-recommends some-package")).toBe(isRoot);
    expect(lines).toContain("== not installed, their tests are skipped: some-package");
    expect(lines).toContain("CI is []");
    expect(code).toBe(0);
  });
});
