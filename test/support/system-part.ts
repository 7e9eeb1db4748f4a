// Parts of the system that some tests need. Where one is missing the test is skipped with a line that names the package;
// on a build machine (CI=true) nothing may be skipped, so it fails.
import { spawnSync } from "node:child_process";

/** Whether the command works; for `test.runIf`. */
export function hasSystemPart(argv: string[], packageName: string): boolean {
  const [command = "", ...rest] = argv;
  if (spawnSync(command, rest, { stdio: "ignore" }).status === 0) return true;
  const line = `${argv.join(" ")} does not work here: install ${packageName} to run this test`;
  if (process.env.CI === "true") throw new Error(line);
  process.stderr.write(`skipped: ${line}\n`);
  return false;
}
