// What an answer has to know of the letters before it: their subject and ids. Kept in a file, because an answer may be
// sent after a restart. Without it an answer is still sent, as the first of a new thread.
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { type ChatAddress, toSessionKey } from "../../bus/session-key.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../../storage/files/state-file.ts";
import type { Letter } from "./letter.ts";

const threadSchema = z.looseObject({ subject: z.string(), references: z.array(z.string()) });
const rowSchema = z.tuple([z.string(), threadSchema]);

export type Thread = z.infer<typeof threadSchema>;

const mostThreads = 1_000;
const mostReferences = 20;

export class Threads {
  readonly #file: StateFile;
  readonly #lock = new KeyedLock();
  #known: Map<string, Thread> | undefined;
  #foreign: { keys: JsonObject; rows: unknown[] } = { keys: {}, rows: [] };

  constructor(folder: string) {
    this.#file = new StateFile(join(folder, "threads.json"), { findFault });
  }

  async find(address: ChatAddress): Promise<Thread | undefined> {
    return (await this.#open()).get(toSessionKey(address));
  }

  /** The letter becomes the last one of its thread. */
  async add(address: ChatAddress, { subject, references, messageId }: Letter): Promise<void> {
    const sessionKey = toSessionKey(address);
    await this.#lock.run("file", async () => {
      const known = await this.#open();
      const ids = [...references, ...(messageId === undefined ? [] : [messageId])];
      // The first one names the thread, whatever is left out after it.
      const kept = ids.length > mostReferences ? [...ids.slice(0, 1), ...ids.slice(1 - mostReferences)] : ids;
      known.delete(sessionKey);
      known.set(sessionKey, { subject, references: kept });
      for (const oldest of [...known.keys()].slice(0, -mostThreads)) known.delete(oldest);
      const { keys, rows } = this.#foreign;
      await this.#file.write({ ...keys, threads: [...rows.slice(-mostThreads), ...known] });
    });
  }

  async #open(): Promise<Map<string, Thread>> {
    if (this.#known !== undefined) return this.#known;
    const { threads, ...keys } = (await this.#file.read()).value ?? {};
    const { known, foreign } = splitRows(threads, (row) => rowSchema.safeParse(row).data);
    this.#foreign = { keys, rows: foreign };
    this.#known ??= new Map(known);
    return this.#known;
  }
}

function findFault({ threads }: JsonObject): string | undefined {
  return Array.isArray(threads) ? undefined : "must hold its threads as a list, in [ ]";
}

const threadMark = "thread:";

/** As a channel names a thread. */
export function toThread(threadId: string): string {
  return threadMark + threadId;
}

export function readThreadId(thread: string | undefined): string | undefined {
  return thread?.startsWith(threadMark) ? thread.slice(threadMark.length) : undefined;
}

/** Our own ids carry the thread, for mail programs that name only the letter they answer to. */
const ownId = /^<nanobot\.([0-9a-f]{16})\.[0-9a-f]{24}@/;

/** Follows from the first letter of a thread; `id` is that of the letter itself. */
export function toThreadId(references: string[], id: string): string {
  const knownThread = references
    .map((reference) => ownId.exec(reference)?.[1])
    .find((thread) => thread !== undefined);
  return knownThread ?? digest(references[0] ?? id).slice(0, 16);
}

/** The same for the same part, so that a letter that is sent twice is known as one. */
export function toMessageId(partId: string, thread: string, domain: string): string {
  return `<nanobot.${thread}.${digest(partId).slice(0, 24)}@${domain}>`;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
