// Changes the config for a page, and has the change taken at once where that can be.
import { type Problem, toPlacedPhrase } from "../../config/problem.ts";
import { type ConfigEdit, type ConfigPatch, saveConfig } from "../../config/save.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import type { WebParts } from "./build-web-methods.ts";

export type ChangeParts = Pick<WebParts, "paths" | "env" | "words" | "clock" | "hub"> & {
  app: Pick<WebParts["app"], "reload">;
};

export interface ChangedConfig {
  /** Why nothing was written. */
  problems: Problem[];
  /** What was written and cannot be used as it is. */
  faults: Problem[];
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

/** Throws a UserError where it was not written, or cannot be used as it is. */
export function createConfigChange(
  parts: ChangeParts,
): (patch: ConfigPatch, field?: string) => Promise<void> {
  return async (change, field) => {
    const { problems, faults } = await changeConfig(change, parts);
    const fields = problems.map(({ path, ...problem }) => ({ ...problem, path: field ?? path }));
    if (fields.length > 0) throw new UserError(phrase("config.not-saved"), { fields });
    if (faults.length > 0)
      throw new UserError(phrase("config.not-used", { reasons: faults.map(toPlacedPhrase) }));
  };
}
