// Whether state.db can be used: damaged, out of reach, or well. Only looks at it.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { findStateProblems } from "../../api/gateway/state-problems.ts";
import { readSorted } from "../../app/sort-memory.ts";
import { phrase } from "../../i18n/phrase.ts";
import { phraseOfError } from "../../i18n/phrase-of-error.ts";
import { say, type Words } from "../../i18n/words.ts";
import { loadSqlite } from "../../storage/database/sqlite.ts";
import {
  checkHeader,
  checkPages,
  checkSchema,
  isDamageWhileOpening,
  NewerStateError,
} from "../../storage/database/state-schema.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Finding } from "./doctor-command.ts";

export async function judgeState(paths: HomePaths, workspace: string, words: Words): Promise<Finding[]> {
  const subject = "state";
  const problems = await findStateProblems(paths, workspace);
  const told = problems.map(
    (problem): Finding => ({ subject, state: "warning", sentence: say(problem, words) }),
  );
  return [...(await judgeDatabase(paths, words)), ...told];
}

/** What the first start after 0.1.0 has moved; nothing is said where that was nothing. */
export async function judgeMemory(workspace: string, { care }: Words): Promise<Finding[]> {
  const sorted = await readSorted(workspace);
  if (sorted === undefined || sorted.moved === 0) return [];
  const when = new Date(sorted.at).toLocaleString();
  const sentence = care.memorySorted(sorted.moved, when);
  return [{ subject: "memory", state: "ok", sentence }];
}

async function judgeDatabase({ home }: HomePaths, words: Words): Promise<Finding[]> {
  const { care } = words;
  const path = join(home, "state.db");
  if ((await stat(path).catch(ignoreMissing)) === undefined) return [];
  const subject = "state";
  const { DatabaseSync } = await loadSqlite();
  try {
    checkHeader(path);
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      checkSchema(database, path, DatabaseSync);
      checkPages(database, path);
    } finally {
      database.close();
    }
    return [{ subject, state: "ok", sentence: path }];
  } catch (error) {
    const newer = error instanceof NewerStateError ? phraseOfError(error) : undefined;
    if (newer !== undefined) return [{ subject, state: "bad", sentence: say(newer, words) }];
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined) throw error;
    if (!isDamageWhileOpening(error))
      return [
        {
          subject,
          state: "bad",
          sentence: say(phrase("storage.unusable", { path, errno: `SQLite ${errcode}` }), words),
        },
      ];
  }
  return [{ subject, state: "bad", sentence: care.stateDamaged(path) }];
}
