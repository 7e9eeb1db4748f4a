// What a conversation showed beside its history, kept for whoever opens it later: answers of commands and what they
// answered, notices, messages of tools, and what turns took. A bounded file for each session; losing one loses no history.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { writeFileAtomic } from "../../storage/files/atomic-file.ts";
import { appendToFile, makeFolder, removeFile } from "../../storage/files/change-files.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { toFileName, toStem } from "../../storage/sessions/session-name.ts";
import type { Aside, Said, TurnCost } from "./wire.ts";

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

/** All of a session, in the order in which it was shown. */
export interface Notes {
  said: KeptSaid[];
  asides: KeptAside[];
  turns: KeptTurn[];
}

const mostBytes = 1_000_000;

/** What was shown beside the history of conversations. */
export interface ShownNotes {
  append(sessionKey: string, notes: readonly Note[]): Promise<void>;
  /** What was sent twice, because a crash came between, is there once. */
  read(sessionKey: string): Promise<Notes>;
  clear(sessionKey: string): Promise<void>;
}

export const keepNothing: ShownNotes = {
  append: async () => {},
  read: async () => ({ said: [], asides: [], turns: [] }),
  clear: async () => {},
};

export class ShownLog implements ShownNotes {
  readonly #folder: string;
  readonly #lock = new KeyedLock();
  #isReady = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(sessionKey: string, notes: readonly Note[]): Promise<void> {
    return this.#lock.run(sessionKey, async () => {
      const path = this.#pathOf(sessionKey);
      if (!this.#isReady) await makeFolder(this.#folder, 0o700);
      this.#isReady = true;
      await appendToFile(path, notes.map((note) => `${JSON.stringify(note)}\n`).join(""));
      if ((lookAt(path)?.size ?? 0) > mostBytes)
        await writeFileAtomic(path, takeNewest(await readFile(path, "utf8")));
    });
  }

  async read(sessionKey: string): Promise<Notes> {
    const text = await this.#lock.run(sessionKey, () =>
      readFile(this.#pathOf(sessionKey), "utf8").catch(ignoreMissing),
    );
    const notes: Notes = { said: [], asides: [], turns: [] };
    for (const note of new Map(parseNotes(text ?? "").map((each) => [toId(each), each])).values()) {
      if (note.type === "said") notes.said.push(note);
      else if (note.type === "aside") notes.asides.push(note);
      else notes.turns.push(note);
    }
    return notes;
  }

  clear(sessionKey: string): Promise<void> {
    return this.#lock.run(sessionKey, () => removeFile(this.#pathOf(sessionKey)));
  }

  #pathOf(sessionKey: string): string {
    return join(this.#folder, toFileName(toStem(sessionKey)));
  }
}

function toId(note: Note): string {
  return `${note.type} ${note.type === "aside" ? note.id : note.turnId}`;
}

function takeNewest(text: string): string {
  const tail = text.slice(text.length / 2);
  return tail.slice(tail.indexOf("\n") + 1);
}

/** Half a line, as a crash leaves one, is passed over. */
function parseNotes(text: string): Note[] {
  return text.split("\n").flatMap((line) => {
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
