// A home in which every kind of state file is there, ways to damage one of them, and what must still be found afterwards:
// each row has a word of its own.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { startFakeModel } from "./fake-model.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./run-program.ts";
import { runProgram } from "./start-program.ts";

export type Random = () => number;

export interface MutatedHome extends ProgramHome {
  /** Every file that can be damaged, relative to the home. */
  files: string[];
  /** As it was in the beginning, with other bytes in one file; returns where they differ. */
  damage(file: string, kind: DamageKind, random: Random): Promise<Damage>;
  /** Words of rows outside of the damage that are nowhere any more. */
  findLost(damage: Damage): Promise<string[]>;
}

export interface Damage {
  file: string;
  kind: DamageKind;
  /** Which bytes of the old file are not in the new one. */
  isHit(start: number, end: number): boolean;
  bytes: Buffer;
}

export const damageKinds = ["flip", "cut", "zeros", "swap", "empty", "huge", "garbage"] as const;

export type DamageKind = (typeof damageKinds)[number];

const word = /row-[a-z]+-\d+-end/g;
const pageSize = 4096;
/** Logs, what Node keeps of our code, and what SQLite makes again at each start. */
const notState = /^logs\/|^cache\/v|-shm$|^workspace\/(?!\.nanobot|cron|memory)|\/\.git\/hooks/;

/** Ends with the test. */
export async function createMutatedHome(): Promise<MutatedHome> {
  const model = await startFakeModel(() => ({ text: "An answer." }));
  const program = await createProgramHome(configFor(model.url));
  const { home, env } = program;
  await fill(program);
  const template = join(dirname(home), "template");
  await cp(home, template, { recursive: true });
  const files = (await listFiles(template)).filter((file) => !notState.test(file)).sort();
  const words = new Map<string, Array<{ word: string; start: number; end: number }>>();
  for (const file of files) {
    const bytes = await readFile(join(template, file));
    // In a database only leaf pages of tables hold rows; in others words of rows that moved away may be left.
    const isRow = (start: number) => bytes[Math.floor(start / pageSize) * pageSize] === 13;
    words.set(
      file,
      findWords(bytes).filter(({ start }) => file !== "state.db" || isRow(start)),
    );
  }
  return {
    ...program,
    env,
    files,
    async damage(file, kind, random) {
      await rm(home, { recursive: true, force: true });
      await cp(template, home, { recursive: true });
      const old = await readFile(join(template, file));
      const { bytes, hits } = change(old, kind, random);
      await writeFile(join(home, file), bytes);
      const isHit = (start: number, end: number) => hits.some(([from, to]) => start < to && end > from);
      return { file, kind, isHit, bytes };
    },
    async findLost({ file: damaged, isHit }) {
      const everything = (
        await Promise.all((await listFiles(home)).map((file) => readFile(join(home, file))))
      ).map((bytes) => bytes.toString("latin1"));
      const rows = readRows(join(home, "state.db"));
      return [...words].flatMap(([file, found]) =>
        found
          .filter(({ start, end }) => file !== damaged || !isHit(start, end))
          .filter(({ word: each, start }) => {
            if (file !== "state.db") return !everything.some((text) => text.includes(each));
            // A damaged page may take all of its rows with it; a long row stands on several.
            const page = Math.floor(start / pageSize) * pageSize;
            const isNear = file === damaged && isHit(page, page + pageSize);
            return !isNear && !rows.includes(each);
          })
          .map(({ word: each }) => each),
      );
    },
  };
}

/** By the program itself where it does it in one step, otherwise as it would have written it. */
async function fill({ home, workspace, env }: ProgramHome): Promise<void> {
  const run = async (...argv: string[]) => {
    const { code, stderr } = await runProgram(nanobot(...argv), { env });
    if (code !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
  };
  for (let index = 0; index < 3; index++) await run("agent", "-m", `row-session-${index}-end`);
  for (let index = 0; index < 4; index++)
    await run("cron", "add", "-m", `row-job-${index}-end`, "--every", `${index + 2}h`);
  await run("agent", "-m", "row-other-0-end", "--session", "cli:other");
  const numbers = [0, 1, 2, 3, 4, 5];
  const put = async (name: string, content: unknown) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(
      join(home, name),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  };
  await put("pairing.json", { approved: { telegram: numbers.map((index) => `row-person-${index}-end`) } });
  await put("approvals.json", {
    allowed: numbers.map((index) => ({ subject: `row-approval-${index}-end`, place: "/", at: index })),
  });
  await put("skills.json", {
    allowed: numbers.map((index) => `row-skill-${index}-end`),
    written: { hashes: [], folders: [] },
  });
  await put("tools.json", {
    allowed: Object.fromEntries(numbers.map((index) => [`row-tool-${index}-end`, "x"])),
  });
  await put("run/web-sessions.json", {
    sessions: numbers.map((index) => ({
      hash: `row-browser-${index}-end`,
      person: "owner",
      role: "owner",
      usedAt: 4e12,
    })),
  });
  const lines = (kind: string) => numbers.map((index) => `row-${kind}-${index}-end`);
  await put(
    "taint.jsonl",
    lines("taint")
      .map((path) => `${JSON.stringify({ path, labels: ["web"] })}\n`)
      .join(""),
  );
  const history = lines("history").map(
    (content, index) => `${JSON.stringify({ cursor: index + 1, content })}\n`,
  );
  await put(relative(home, join(workspace, "memory/history.jsonl")), history.join(""));
  await put(relative(home, join(workspace, "memory/.cursor")), "6");
  await put(relative(home, join(workspace, "memory/.dream_cursor")), "2");
  await put(relative(home, join(workspace, "memory/MEMORY.md")), lines("memory").join("\n"));
  await fillState(join(home, "state.db"));
}

async function fillState(path: string): Promise<void> {
  const state = await StateDatabase.open({ path });
  const origin = { channel: "telegram", chatId: "1", senderId: "1", person: "owner", role: "owner" };
  await state.write(() => {
    for (let index = 0; index < 60; index++) {
      const id = `row-inbox-${index}-end`;
      const message = JSON.stringify({
        id,
        sourceKey: id,
        sessionKey: "telegram:1",
        origin,
        text: "x".repeat(300),
      });
      state.run(
        "INSERT INTO inbox (id, source_key, message, state, finished_at) VALUES (?, ?, ?, 'done', 4000000000000)",
        id,
        `k${index}`,
        message,
      );
      const part = `row-outbox-${index}-end`;
      state.run(
        "INSERT INTO outbox (id, channel, chat_id, part, state) VALUES (?, 'telegram', '1', ?, 'dead')",
        part,
        JSON.stringify({
          id: part,
          channel: "telegram",
          chatId: "1",
          sessionKey: "telegram:1",
          turnId: "t",
          text: "",
          media: [],
        }),
      );
    }
  });
  state.close();
}

function change(
  old: Buffer,
  kind: DamageKind,
  random: Random,
): { bytes: Buffer; hits: Array<[from: number, to: number]> } {
  const at = Math.floor(random() * old.length);
  const all: Array<[number, number]> = [[0, old.length]];
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  if (kind === "flip") {
    const bytes = Buffer.from(old);
    const places = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      Math.floor(random() * old.length),
    );
    for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    return { bytes, hits: places.map((place) => [place, place + 1]) };
  }
  if (kind === "cut") return { bytes: old.subarray(0, at), hits: [[at, old.length]] };
  if (kind === "zeros")
    return {
      bytes: Buffer.concat([old.subarray(0, at), Buffer.alloc(old.length - at)]),
      hits: [[at, old.length]],
    };
  if (kind === "swap") {
    const middle = Math.floor(old.length / 2);
    return { bytes: Buffer.concat([old.subarray(middle), old.subarray(0, middle)]), hits: all };
  }
  if (kind === "empty") return { bytes: Buffer.alloc(0), hits: all };
  if (kind === "huge")
    return { bytes: Buffer.concat([old, Buffer.alloc(5 * 1024 * 1024, noise(997))]), hits: [] };
  return { bytes: noise(old.length), hits: all };
}

function findWords(bytes: Buffer): Array<{ word: string; start: number; end: number }> {
  return [...bytes.toString("latin1").matchAll(word)].map(({ 0: found, index }) => ({
    word: found,
    start: index,
    end: index + found.length,
  }));
}

/** What is in the tables that are in use now. */
function readRows(path: string): string {
  const database = new DatabaseSync(path);
  const rows = database
    .prepare("SELECT id || message AS text FROM inbox UNION ALL SELECT id || part FROM outbox")
    .all();
  database.close();
  return JSON.stringify(rows);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
