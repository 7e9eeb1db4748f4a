// Triggers: names under which a program speaks in a chat, each with the secret that its requests are checked by. Only the owner
// makes and sees them.
import { randomInt } from "node:crypto";
import * as z from "zod";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../files/state-file.ts";
import type { Job } from "./job.ts";

/** How a request proves that it knows the secret. */
export const signatures = ["bearer", "github", "stripe"] as const;

export type Signature = (typeof signatures)[number];

const rowSchema = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  channel: z.string(),
  chatId: z.string(),
  sessionKey: z.string(),
  origin: z.record(z.string(), z.unknown()),
  signature: z.enum(signatures),
  /** Kept as it is: a signature is made with it. */
  secret: z.string().min(1),
  /** What is said, with `{{path}}` for values of the payload. */
  template: z.string().optional(),
  createdAtMs: z.number(),
});

export type Trigger = Pick<Job, "channel" | "chatId" | "sessionKey" | "origin"> &
  Pick<z.infer<typeof rowSchema>, "id" | "name" | "signature" | "secret" | "template" | "createdAtMs">;

/** As the Python original draws its ids: none of these letters is taken for another. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

export function createTriggerId(): string {
  return `trg_${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("")}`;
}

export class TriggerFile {
  readonly #file: StateFile;
  readonly #lock = new KeyedLock();

  constructor(path: string) {
    this.#file = new StateFile(path, { findFault });
  }

  async list(): Promise<Trigger[]> {
    return (await this.#read()).rows;
  }

  /** By name or id. */
  async find(nameOrId: string): Promise<Trigger | undefined> {
    const rows = await this.list();
    return rows.find(({ name }) => name === nameOrId) ?? rows.find(({ id }) => id === nameOrId);
  }

  /** False: there is one of that name. */
  add(trigger: Trigger): Promise<boolean> {
    return this.#change((rows) =>
      rows.some(({ name }) => name === trigger.name) ? rows : [...rows, trigger],
    );
  }

  /** Whether there was one. */
  remove(id: string): Promise<boolean> {
    return this.#change((rows) => rows.filter((row) => row.id !== id));
  }

  #change(update: (rows: Trigger[]) => Trigger[]): Promise<boolean> {
    return this.#lock.run("", async () => {
      const { rows, foreign, keys } = await this.#read();
      const updated = update(rows);
      if (updated.length === rows.length) return false;
      await this.#file.write({ ...keys, triggers: [...foreign, ...updated] });
      return true;
    });
  }

  async #read(): Promise<{ rows: Trigger[]; foreign: unknown[]; keys: JsonObject }> {
    const { triggers, ...keys } = (await this.#file.read()).value ?? { version: 1 };
    const { known, foreign } = splitRows(
      triggers,
      (row) => rowSchema.safeParse(row).data as Trigger | undefined,
    );
    return { rows: known, foreign, keys };
  }
}

function findFault({ triggers }: JsonObject): string | undefined {
  return Array.isArray(triggers) ? undefined : "must hold its triggers as a list, in [ ]";
}
