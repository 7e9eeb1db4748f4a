// Tests of the real program run the bundle, so it is built once from the present sources before any test.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Absent where a run without this set-up uses the sources as they are. */
    isBuilt?: boolean;
  }
}

export function setup(project: TestProject): void {
  const build = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [build], { stdio: "inherit" });
  project.provide("isBuilt", true);
}
