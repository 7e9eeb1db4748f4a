// node:sqlite, loaded when first needed and without the warning that some versions of Node print about it.

type Sqlite = typeof import("node:sqlite");

let loading: Promise<Sqlite> | undefined;

export function loadSqlite(): Promise<Sqlite> {
  loading ??= importQuietly();
  return loading;
}

async function importQuietly(): Promise<Sqlite> {
  const { emitWarning } = process;
  // "SQLite is an experimental feature and might change at any time"
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  }) as typeof process.emitWarning;
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
