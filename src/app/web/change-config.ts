// Changes the config for a page, and has the change taken at once where that can be.
import { type Problem, tellProblems } from "../../config/problem.ts";
import { type ConfigEdit, type ConfigPatch, saveConfig } from "../../config/save.ts";
import type { WebParts } from "./build-web-methods.ts";

export type ChangeParts = Pick<WebParts, "paths" | "env" | "words" | "clock" | "hub"> & {
  app: Pick<WebParts["app"], "reload">;
};

export interface ChangedConfig {
  /** Why nothing was written. */
  problems: Problem[];
  /** What was written and cannot be used as it is, one sentence each. */
  faults: string[];
}

export async function changeConfig(
  change: ConfigPatch | ConfigEdit,
  { app, paths, env, clock, hub }: ChangeParts,
): Promise<ChangedConfig> {
  const saved = await saveConfig({ home: paths, env, clock, change });
  if (!saved.ok) return { problems: saved.problems, faults: [] };
  const faults = await app.reload();
  hub.publish({ type: "changed", topic: "config" });
  return { problems: [], faults };
}

/** A sentence says why it could not be. */
export function createConfigChange(parts: ChangeParts): (patch: ConfigPatch) => Promise<string | undefined> {
  return async (change) => {
    const { problems, faults } = await changeConfig(change, parts);
    const sentences = [...tellProblems(problems, parts.words), ...faults];
    return sentences.length > 0 ? sentences.join("\n") : undefined;
  };
}
