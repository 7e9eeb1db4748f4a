// Changes the config for a page, and has the change taken at once where that can be.
import { tellProblems } from "../../config/problem.ts";
import { type ConfigPatch, saveConfig } from "../../config/save.ts";
import type { WebParts } from "./build-web-methods.ts";

/** A sentence says why it could not be. */
export function createConfigChange({
  app,
  paths,
  env,
  clock,
  words,
  hub,
}: WebParts): (patch: ConfigPatch) => Promise<string | undefined> {
  return async (change) => {
    const saved = await saveConfig({ home: paths, env, clock, change });
    if (!saved.ok) return tellProblems(saved.problems, words).join("\n");
    const faults = await app.reload();
    hub.publish({ type: "changed", topic: "config" });
    return faults.length > 0 ? faults.join("\n") : undefined;
  };
}
