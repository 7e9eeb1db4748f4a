// node:sqlite, loaded when first needed and without the warning that some versions of Node print about it.
import { withoutWarning } from "../../lib/process/without-warning.ts";

type Sqlite = typeof import("node:sqlite");

let loading: Promise<Sqlite> | undefined;

export function loadSqlite(): Promise<Sqlite> {
  loading ??= withoutWarning("SQLite is an experimental feature", () => import("node:sqlite"));
  return loading;
}
