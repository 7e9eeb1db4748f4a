// Looks at state.db without changing it: whether it can be used, and why not.
import { existsSync } from "node:fs";
import type { HomePaths } from "../home.ts";
import { loadSqlite } from "./sqlite.ts";
import {
  checkHeader,
  checkPages,
  checkSchema,
  isDamageWhileOpening,
  NewerStateError,
} from "./state-schema.ts";

export type StateCondition =
  | { kind: "absent" | "usable" | "damaged" }
  | { kind: "newer"; error: NewerStateError }
  | { kind: "unusable"; errno: string };

export async function inspectState({ stateDatabase: path }: HomePaths): Promise<StateCondition> {
  if (!existsSync(path)) return { kind: "absent" };
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
    return { kind: "usable" };
  } catch (error) {
    if (error instanceof NewerStateError) return { kind: "newer", error };
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined) throw error;
    return isDamageWhileOpening(error)
      ? { kind: "damaged" }
      : { kind: "unusable", errno: `SQLite ${errcode}` };
  }
}
