// goals.json: longer work that people asked for, each with its plan and how far it is. A row that cannot be understood stays in the
// file and does nothing.
import * as z from "zod";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { StateFile, splitRows } from "../files/state-file.ts";

const originSchema = z.object({
  channel: z.string(),
  chatId: z.string(),
  thread: z.string().optional(),
  senderId: z.string(),
  person: z.string(),
  role: z.enum(["owner", "guest"]),
  group: z.string().optional(),
  format: z.enum(["terminal", "markdown", "messaging", "plain", "email"]),
  language: z.enum(["english", "chinese"]).optional(),
});

const goalSchema = z.object({
  id: z.string(),
  text: z.string(),
  sessionKey: z.string(),
  origin: originSchema,
  /** `limit`: its limits are used up; `stuck`: the model cannot go on. */
  state: z.enum(["active", "paused", "done", "stuck", "limit", "stopped"]),
  steps: z.array(z.object({ text: z.string(), state: z.enum(["open", "doing", "done"]) })),
  /** Turns so far. */
  round: z.int(),
  /** Of the present round. */
  turnId: z.string().optional(),
  /** The present round was asked to report, because the limits are used up. */
  isLast: z.boolean().optional(),
  tokens: z.number(),
  limits: z.object({ rounds: z.int(), tokens: z.int() }),
  /** Sources of its plan: its turns carry them. */
  labels: z.array(z.string()).optional(),
  createdAtMs: z.number(),
});

export type Goal = z.infer<typeof goalSchema>;
export type GoalStep = Goal["steps"][number];

export class GoalFile {
  readonly #file: StateFile;
  readonly #lock = new KeyedLock();

  constructor(path: string) {
    this.#file = new StateFile(path, { findFault });
  }

  /** Oldest first. */
  async listAll(): Promise<Goal[]> {
    return (await this.#load()).known;
  }

  /** What `change` does with the list is saved, unless it throws. */
  change<T>(change: (goals: Goal[]) => T | Promise<T>): Promise<T> {
    return this.#lock.run("", async () => {
      const { keys, known, foreign } = await this.#load();
      const before = JSON.stringify(known);
      const result = await change(known);
      if (JSON.stringify(known) !== before)
        await this.#file.write({ ...keys, goals: [...foreign, ...known] as JsonObject[] });
      return result;
    });
  }

  async #load(): Promise<{ keys: JsonObject; known: Goal[]; foreign: unknown[] }> {
    const { goals, ...keys } = (await this.#file.read()).value ?? {};
    return { keys, ...splitRows(goals, (row) => goalSchema.safeParse(row).data) };
  }
}

function findFault({ goals }: JsonObject): string | undefined {
  return Array.isArray(goals) ? undefined : "must hold the goals as a list, in [ ]";
}
