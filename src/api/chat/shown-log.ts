// What a conversation showed in addition to its history, kept for clients that open it later: answers of commands and what they
// answered, notices, messages of tools, and what turns took. A bounded file for each session; losing one loses no history.
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { SideLog } from "../../storage/sessions/side-log.ts";
import { fromStored, mapPaths, toStored } from "../../storage/stored-path.ts";
import type { Aside, Said, ShownTask, TurnCost } from "./wire.ts";

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
/** What a person did about a reminder, by the turn that said it. */
export interface KeptTask {
  type: "task";
  turnId: string;
  at: number;
  state: NonNullable<ShownTask["state"]>;
  until?: number;
}
export type Note = KeptSaid | KeptAside | KeptTurn | KeptTask;

/** All of a session, in the order in which it was shown. */
export interface Notes {
  said: KeptSaid[];
  asides: KeptAside[];
  turns: KeptTurn[];
  tasks: KeptTask[];
}

/** What conversations showed in addition to their history. */
export interface ShownNotes {
  append(sessionKey: string, notes: readonly Note[]): Promise<void>;
  /** A note that was sent twice, because of a crash, is listed once. */
  read(sessionKey: string): Promise<Notes>;
  clear(sessionKey: string): Promise<void>;
}

export const keepNothing: ShownNotes = {
  append: async () => {},
  read: async () => ({ said: [], asides: [], turns: [], tasks: [] }),
  clear: async () => {},
};

export class ShownLog implements ShownNotes {
  readonly #lines: SideLog;
  readonly #home: string;

  /** Stored paths are relative to the home. */
  constructor(folder: string, home: string) {
    this.#lines = new SideLog(folder);
    this.#home = home;
  }

  append(sessionKey: string, notes: readonly Note[]): Promise<void> {
    const stored = notes.map((note) => withMedia(note, (path) => toStored(this.#home, path)));
    const lines = stored.map((note) => JSON.stringify(note));
    return this.#lines.append(sessionKey, lines);
  }

  async read(sessionKey: string): Promise<Notes> {
    const stored = (await this.#lines.read(sessionKey)).flatMap(parseNote);
    const kept = stored.map((note) => withMedia(note, (path) => fromStored(this.#home, path)));
    const notes: Notes = { said: [], asides: [], turns: [], tasks: [] };
    for (const note of new Map(kept.map((each) => [toId(each), each])).values()) {
      if (note.type === "said") notes.said.push(note);
      else if (note.type === "aside") notes.asides.push(note);
      else if (note.type === "turn") notes.turns.push(note);
      else notes.tasks.push(note);
    }
    return notes;
  }

  clear(sessionKey: string): Promise<void> {
    return this.#lines.clear(sessionKey);
  }
}

/** What a gateway has kept, for a program that keeps nothing itself. */
export function openPast(folder: string, home: string): ShownNotes {
  const kept = new ShownLog(folder, home);
  return { ...keepNothing, read: (sessionKey) => kept.read(sessionKey) };
}

function withMedia(note: Note, change: (path: string) => string): Note {
  return note.type === "turn" || note.type === "task"
    ? note
    : { ...note, media: mapPaths(note.media, change) };
}

function toId(note: Note): string {
  return `${note.type} ${note.type === "aside" ? note.id : note.turnId}`;
}

/** Half a line, as a crash leaves one, is passed over. */
function parseNote(line: string): Note[] {
  const note = parseJson(line);
  return isRecord(note) && isNote(note) ? [note] : [];
}

function isNote(note: Record<string, unknown>): note is Record<string, unknown> & Note {
  if (typeof note.turnId !== "string" || typeof note.at !== "number") return false;
  if (note.type === "turn") return isRecord(note.calls);
  if (note.type === "task") return note.state === "done" || note.state === "snoozed";
  const isSpoken = typeof note.text === "string" && Array.isArray(note.media);
  return isSpoken && (note.type === "said" || (note.type === "aside" && typeof note.id === "string"));
}
