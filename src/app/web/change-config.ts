// Changes the config, has the change used at once where that can be, and tells the pages.
import { type Problem, toPlacedPhrase } from "../../config/problem.ts";
import { type ConfigEdit, type ConfigPatch, saveConfig } from "../../config/save.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import type { WebParts } from "./build-web-methods.ts";

export type ChangeParts = Pick<WebParts, "paths" | "env" | "clock" | "hub"> & {
  app: Pick<WebParts["app"], "reload">;
};

/** Throws a UserError for what is not written; gives what was written and cannot be used as it is. */
export async function changeConfig(
  change: ConfigPatch | ConfigEdit,
  { app, paths, env, clock, hub }: ChangeParts,
  field?: string,
): Promise<Problem[]> {
  const saved = await saveConfig({ home: paths, env, clock, change });
  if (!saved.ok) {
    const fields = saved.problems.map(({ path, ...problem }) => ({ ...problem, path: field ?? path }));
    throw new UserError(phrase("config.not-saved"), { fields });
  }
  const faults = await app.reload();
  hub.publish({ type: "changed", topic: "config" });
  return faults;
}

/** Throws a UserError where it was not written, or cannot be used as it is. */
export function createConfigChange(
  parts: ChangeParts,
): (patch: ConfigPatch, field?: string) => Promise<void> {
  return async (change, field) => {
    const faults = await changeConfig(change, parts, field);
    if (faults.length > 0)
      throw new UserError(phrase("config.not-used", { reasons: faults.map(toPlacedPhrase) }));
  };
}
