// Tests of the real program run the bundle, so it is built once from the present sources before any test.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export function setup(): void {
  const build = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [build], { stdio: "inherit" });
}
