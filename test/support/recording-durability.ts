// An engine that keeps a home in a second folder: what was announced is captured at each commit in one synchronous step,
// changesets first, then bytes. What was not announced is missing there.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DurabilityError, type DurabilityFault, type HomeDurability } from "../../src/storage/durability.ts";

/** Not kept elsewhere: logs, caches, locks, and the database, whose changes are recorded. */
const notKept = /^(?:logs|cache)(?:\/|$)|^run\/[\w-]*lock\.(?:db|json)|^state\.db|\.tmp$|\.part$/;

export class RecordingDurability implements HomeDurability {
  readonly recordsChanges = true;
  readonly #home: string;
  readonly #copy: string;
  readonly #dirty = new Set<string>();
  #changesets: Uint8Array[] = [];
  #isNewDatabase = false;
  #mayHaveChanged = false;
  /** What every commit is answered with, until it is taken away. */
  fault: DurabilityFault | undefined;
  /** What each further commit is answered with, by its number. */
  plan: ((attempt: number) => DurabilityFault | undefined) | undefined;
  attempts = 0;
  /** Called after each capture. */
  onCommitted: (() => void) | undefined;
  commits = 0;
  refused = 0;

  constructor(home: string, copy: string) {
    this.#home = home;
    this.#copy = copy;
    // What is there before it begins is kept already.
    if (existsSync(home)) cpSync(home, copy, { recursive: true });
  }

  changed(path: string): void {
    this.#dirty.add(path);
  }

  mayHaveChanged(): void {
    this.#mayHaveChanged = true;
  }

  recordChanges(changeset: Uint8Array): void {
    this.#changesets.push(changeset);
  }

  snapshot(path: string): void {
    if (path === "state.db") this.#isNewDatabase = true;
  }

  assertHeld(): void {
    if (this.fault === "lost") throw new DurabilityError("lost");
  }

  async commit(): Promise<void> {
    const fault = this.fault ?? this.plan?.(this.attempts++);
    if (fault !== undefined) {
      this.refused += 1;
      throw new DurabilityError(fault);
    }
    this.#capture();
    this.commits += 1;
    this.onCommitted?.();
  }

  #capture(): void {
    if (this.#isNewDatabase) this.#copyDatabase();
    else this.#applyChangesets();
    this.#isNewDatabase = false;
    this.#changesets = [];
    if (this.#mayHaveChanged) this.#dirty.add("workspace");
    this.#mayHaveChanged = false;
    for (const path of this.#dirty) this.#take(path);
    this.#dirty.clear();
  }

  #copyDatabase(): void {
    const [from, to] = [join(this.#home, "state.db"), join(this.#copy, "state.db")];
    for (const end of ["", "-wal", "-shm"]) rmSync(to + end, { force: true });
    const database = new DatabaseSync(from);
    database.prepare("VACUUM INTO ?").run(to);
    database.close();
  }

  #applyChangesets(): void {
    if (this.#changesets.length === 0) return;
    const database = new DatabaseSync(join(this.#copy, "state.db"));
    for (const changeset of this.#changesets)
      if (!database.applyChangeset(changeset)) throw new Error("a changeset does not fit");
    database.close();
  }

  #take(path: string): void {
    if (notKept.test(path)) return;
    const [from, to] = [join(this.#home, path), join(this.#copy, path)];
    rmSync(to, { recursive: true, force: true });
    if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Every file of a home that is to be kept, with its bytes. */
export function readKept(home: string): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(home.length + 1)
        .replaceAll(sep, "/"),
    )
    .filter((path) => !notKept.test(path))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(home, path), "latin1")]));
}

/** Folders of sessions are found by a marker with the path of the workspace, which another machine writes again. */
export function moveMarkers(home: string): void {
  const marker = (id: string) => join(home, "sessions", id, ".workspace");
  for (const id of readdirSync(join(home, "sessions")))
    if (existsSync(marker(id))) writeFileSync(marker(id), realpathSync(join(home, "workspace")));
}

/** Every row of state.db, by its table. */
export function readTables(home: string): Record<string, unknown[]> {
  const database = new DatabaseSync(join(home, "state.db"));
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const names = database.prepare(sql).all() as Array<{ name: string }>;
  const tables = names.map(({ name }) => [name, database.prepare(`SELECT * FROM ${name} ORDER BY 1`).all()]);
  database.close();
  return Object.fromEntries(tables);
}
