// Whether state.db can be used: damaged, out of reach, or well. Only looks at it.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { HomePaths } from "../../config/home.ts";
import { ignoreMissing } from "../../lib/plain-file.ts";
import { loadSqlite } from "../../lib/sqlite.ts";
import { isDamage } from "../../lib/state-database.ts";
import type { Words } from "../../words/words.ts";
import type { Finding } from "./doctor-command.ts";

export async function judgeState({ home }: HomePaths, { care, failure }: Words): Promise<Finding[]> {
  const path = join(home, "state.db");
  if ((await stat(path).catch(ignoreMissing)) === undefined) return [];
  const subject = care.subjects.state;
  const { DatabaseSync } = await loadSqlite();
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare("PRAGMA quick_check").get() as { quick_check?: string } | undefined;
    database.close();
    if (row?.quick_check === "ok") return [{ subject, state: "ok", sentence: path }];
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined) throw error;
    if (!isDamage(error))
      return [{ subject, state: "bad", sentence: failure.unusablePath(path, `SQLite ${errcode}`) }];
  }
  return [{ subject, state: "bad", sentence: care.stateDamaged(path) }];
}
