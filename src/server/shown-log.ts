// What a conversation showed beside its history, kept for whoever opens it later: answers of commands and what they
// answered, notices, messages of tools, and what turns took. A bounded file for each session; losing one loses no history.
import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { toFileName, toStem } from "../session/session-name.ts";
import type { Aside, Said, TurnCost } from "./protocol/chat.ts";

/** With the paths of files in place of their addresses. */
export type KeptSaid = Omit<Said, "attachments"> & { media: string[] };
export type KeptAside = Omit<Aside, "attachments"> & { media: string[] };
export interface KeptTurn {
  type: "turn";
  turnId: string;
  at: number;
  cost?: TurnCost;
  /** Of each call of it: how long it took, and whether it failed. */
  calls: Record<string, { ms: number; isError: boolean }>;
}
export type Note = KeptSaid | KeptAside | KeptTurn;

const mostBytes = 1_000_000;

export class ShownLog {
  readonly #folder: string;
  readonly #lock = new KeyedLock();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** One that is there already is not kept twice. */
  append(sessionKey: string, notes: readonly Note[]): Promise<void> {
    return this.#lock.run(sessionKey, async () => {
      const path = this.#pathOf(sessionKey);
      const known = await readNotes(path);
      const ids = new Set(known.map(toId));
      const lines = notes.filter((note) => !ids.has(toId(note))).map((note) => `${JSON.stringify(note)}\n`);
      if (lines.length === 0) return;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const kept = known.map((note) => `${JSON.stringify(note)}\n`);
      const size = [...kept, ...lines].reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      if (size <= mostBytes) return appendFile(path, lines.join(""), { mode: 0o600 });
      await writeFileAtomic(path, takeNewest([...kept, ...lines], mostBytes / 2).join(""));
    });
  }

  read(sessionKey: string): Promise<Note[]> {
    return this.#lock.run(sessionKey, () => readNotes(this.#pathOf(sessionKey)));
  }

  clear(sessionKey: string): Promise<void> {
    return this.#lock.run(sessionKey, () => rm(this.#pathOf(sessionKey), { force: true }));
  }

  #pathOf(sessionKey: string): string {
    return join(this.#folder, toFileName(toStem(sessionKey)));
  }
}

function toId(note: Note): string {
  return `${note.type} ${note.type === "aside" ? note.id : note.turnId}`;
}

function takeNewest(lines: string[], most: number): string[] {
  let room = most;
  const first = lines.findLastIndex((line) => {
    room -= Buffer.byteLength(line);
    return room < 0;
  });
  return lines.slice(first + 1);
}

/** Half a line, as a crash leaves one, is passed over. */
async function readNotes(path: string): Promise<Note[]> {
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  return (text ?? "").split("\n").flatMap((line) => {
    const note = line === "" ? undefined : parseJson(line);
    return isRecord(note) && isNote(note) ? [note] : [];
  });
}

function isNote(note: Record<string, unknown>): note is Record<string, unknown> & Note {
  if (typeof note.turnId !== "string" || typeof note.at !== "number") return false;
  if (note.type === "turn") return isRecord(note.calls);
  const isSpoken = typeof note.text === "string" && Array.isArray(note.media);
  return isSpoken && (note.type === "said" || (note.type === "aside" && typeof note.id === "string"));
}
