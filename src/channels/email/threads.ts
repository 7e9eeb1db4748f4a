// What an answer has to know of the letters before it: their subject and ids. Kept in a file, because an answer may be
// sent after a restart. Without it an answer is still sent, as the first of a new thread.
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { readJsonFile } from "../../lib/json-file.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Letter } from "./letter.ts";

const threadSchema = z.object({ subject: z.string(), references: z.array(z.string()) });
const fileSchema = z.object({ threads: z.array(z.tuple([z.string(), threadSchema])) });

export type Thread = z.infer<typeof threadSchema>;

const mostThreads = 1_000;
const mostReferences = 20;

export class Threads {
  readonly #path: string;
  readonly #lock = new KeyedLock();
  #known: Map<string, Thread> | undefined;

  constructor(folder: string) {
    this.#path = join(folder, "threads.json");
  }

  async find(sessionKey: string): Promise<Thread | undefined> {
    return (await this.#open()).get(sessionKey);
  }

  /** The letter becomes the last one of its thread. */
  async add(sessionKey: string, { subject, references, messageId }: Letter): Promise<void> {
    await this.#lock.run("file", async () => {
      const known = await this.#open();
      const ids = [...references, ...(messageId === undefined ? [] : [messageId])];
      // The first one names the thread, whatever is left out after it.
      const kept = ids.length > mostReferences ? [...ids.slice(0, 1), ...ids.slice(1 - mostReferences)] : ids;
      known.delete(sessionKey);
      known.set(sessionKey, { subject, references: kept });
      for (const oldest of [...known.keys()].slice(0, -mostThreads)) known.delete(oldest);
      await writeFileAtomic(this.#path, JSON.stringify({ threads: [...known] }));
    });
  }

  async #open(): Promise<Map<string, Thread>> {
    if (this.#known !== undefined) return this.#known;
    const file = await readJsonFile(this.#path);
    const parsed = fileSchema.safeParse(file.state === "read" ? file.value : { threads: [] });
    this.#known ??= new Map(parsed.data?.threads ?? []);
    return this.#known;
  }
}

/** Our own ids carry the thread, for mail programs that name only the letter they answer to. */
const ownId = /^<nanobot\.([0-9a-f]{16})\.[0-9a-f]{24}@/;

/** Follows from the first letter of a thread; `id` is that of the letter itself. */
export function toThreadId(references: string[], id: string): string {
  const own = references
    .map((reference) => ownId.exec(reference)?.[1])
    .find((thread) => thread !== undefined);
  return own ?? digest(references[0] ?? id).slice(0, 16);
}

/** The same for the same part, so that a letter that is sent twice is known as one. */
export function toMessageId(partId: string, thread: string, domain: string): string {
  return `<nanobot.${thread}.${digest(partId).slice(0, 24)}@${domain}>`;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
