// npm test [-- <vitest arguments>]: checks the runtime first, so that an old Node gives a sentence and not a stack.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Tests need Node 22.18 or newer; this is ${process.versions.node}. Run them with: npm test`);
  process.exit(1);
}
// A machine on which everything may come late: see docs/testing.md.
const slow = fileURLToPath(new URL("../test/support/slow-machine.mjs", import.meta.url));
const isSlow = Boolean(process.env.SLOW);
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const limit = isSlow ? ["--testTimeout", "300000"] : [];
const { status } = spawnSync(process.execPath, [vitest, "run", ...limit, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: isSlow ? { ...process.env, NODE_OPTIONS: `--import ${slow}` } : process.env,
});
process.exit(status ?? 1);
