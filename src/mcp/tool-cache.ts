// What servers offered when they were last connected, and why the last attempt failed: one file for each, so that a list of
// tools is there before any server is, and another process can show its state.
import * as z from "zod";
import { ServerRecords } from "../storage/documents/server-records.ts";
import type { McpServerConfig } from "./config.ts";
import { problemKinds, type ServerProblem } from "./problem.ts";

const entrySchema = z.object({
  kind: z.enum(["tool", "resource", "prompt"]),
  name: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  aliases: z.record(z.string(), z.string()),
  isReadOnly: z.boolean(),
  isIdempotent: z.boolean(),
  isLocal: z.boolean().optional(),
  uri: z.string().optional(),
  template: z.string().optional(),
  headers: z.array(z.object({ path: z.array(z.string()), name: z.string() })).optional(),
});

const recordSchema = z.object({
  version: z.literal(1),
  /** When the list was read; 0 when it never was. */
  readAt: z.number(),
  entries: z.array(entrySchema),
  /** One in a form that is not known any more is forgotten. */
  problem: z
    .looseObject({ kind: z.enum(problemKinds) })
    .transform((problem) => problem as unknown as ServerProblem)
    .optional()
    .catch(undefined),
});

export type ServerRecord = z.infer<typeof recordSchema>;

export const emptyRecord: ServerRecord = { version: 1, readAt: 0, entries: [] };

export class ToolCache {
  readonly #records: ServerRecords;

  constructor(folder: string) {
    this.#records = new ServerRecords(folder);
  }

  /** What cannot be read counts as not there: it is written again at the next connect. */
  async load(server: string, config: McpServerConfig): Promise<ServerRecord> {
    return recordSchema.safeParse(await this.#records.load(server, identityOf(config))).data ?? emptyRecord;
  }

  save(server: string, config: McpServerConfig, record: ServerRecord): Promise<void> {
    return this.#records.save(server, identityOf(config), record);
  }

  remove(server: string): Promise<void> {
    return this.#records.remove(server);
  }
}

/** Everything that decides what a server is. The values of secrets do not belong to it, not even as a hash. */
function identityOf({ type, command, args, cwd, url, env, headers }: McpServerConfig): unknown {
  return [type, command, args, cwd, url, Object.keys(env), Object.keys(headers)];
}
