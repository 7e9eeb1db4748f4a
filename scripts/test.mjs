// npm test [-- <vitest arguments>]: checks the runtime first, so that an old Node gives a sentence and not a stack.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Tests need Node 22.18 or newer; this is ${process.versions.node}. Run them with: npm test`);
  process.exit(1);
}
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
