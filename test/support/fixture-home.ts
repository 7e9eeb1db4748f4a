// Homes of an older version as they are kept in test/fixtures/homes: plain files, state.db as SQL, and names instead of
// addresses and paths of the machine that made them. Needs no test runner.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ChatScene } from "./chat-scene.ts";
import { answerMarked } from "./marked-model.ts";

/** What represents what, such as `{{home}}` for the folder. */
export type Names = Record<"home" | "program" | "model" | "telegram", string>;

/** Made again when the home is opened, or of one process. */
const left = /^(cache|logs|run|media)\/|\.db(-wal|-shm)?$|\.lock$|\.last-good$/;
const dump = "state.sql";

const program = join(import.meta.dirname, "../..");
export const fixtureHomes = join(import.meta.dirname, "../fixtures/homes");

export async function packHome(home: string, folder: string, names: Names): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const path of await listFiles(home)) {
    if (left.test(path)) continue;
    const text = await readFile(join(home, path), "utf8");
    await writeInto(
      join(folder, path),
      replaceAll(text, names, (name, value) => [value, name]),
    );
  }
  await writeInto(join(folder, dump), toSql(join(home, "state.db")));
}

/** The homes keep their modes: nobody else may read them. */
export async function unpackHome(
  folder: string,
  home: string,
  names: Omit<Names, "home" | "program">,
): Promise<void> {
  await cp(folder, home, { recursive: true });
  for (const path of await listFiles(home)) {
    const text = await readFile(join(home, path), "utf8");
    const named = replaceAll(text, { ...names, home, program }, (name, value) => [name, value]);
    if (named !== text) await writeFile(join(home, path), named);
  }
  const database = new DatabaseSync(join(home, "state.db"));
  database.exec(await readFile(join(home, dump), "utf8"));
  database.close();
  await rm(join(home, dump));
}

/** With everything that its config names; nothing runs yet. */
export function layDown(name: string, program: string[] = []): Promise<ChatScene> {
  return ChatScene.open({
    program,
    chats: 1,
    reply: answerMarked,
    setUp: (home, addresses) => unpackHome(join(fixtureHomes, name), home, addresses),
  });
}

export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

function replaceAll(text: string, names: Names, toPair: (name: string, value: string) => [string, string]) {
  let replaced = text;
  for (const [name, value] of Object.entries(names)) {
    const [from, to] = toPair(`{{${name}}}`, value);
    replaced = replaced.replaceAll(from, to);
  }
  return replaced;
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function toSql(path: string): string {
  const database = new DatabaseSync(path);
  try {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as Record<string, number>;
    const schema = database.prepare("SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
    const own = schema.filter(({ name }) => !String(name).startsWith("sqlite_"));
    const tables = own.filter(({ type }) => type === "table").map(({ name }) => String(name));
    const lines = [...own.map(({ sql }) => `${sql};`), `PRAGMA user_version = ${version};`];
    for (const table of tables)
      for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all())
        lines.push(`INSERT INTO ${table} VALUES (${Object.values(row).map(toLiteral).join(", ")});`);
    return `${lines.join("\n")}\n`;
  } finally {
    database.close();
  }
}

function toLiteral(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
