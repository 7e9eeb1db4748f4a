// What servers offered when they were last connected, and why the last attempt failed: one file for each, so that a list of
// tools is there before any server is, and its state can be told by another process.

import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { makeFolder, removeFile } from "../storage/files/change-files.ts";
import { readJsonFile } from "../storage/files/json-file.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
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
  uri: z.string().optional(),
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
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whatever cannot be read counts as not there: it is written again at the next connect. */
  async load(server: string, config: McpServerConfig): Promise<ServerRecord> {
    const read = await readJsonFile(join(this.#folder, fileName(server, config)));
    const parsed = read.state === "read" ? recordSchema.safeParse(read.value) : undefined;
    return parsed?.success === true ? parsed.data : emptyRecord;
  }

  async save(server: string, config: McpServerConfig, record: ServerRecord): Promise<void> {
    const name = fileName(server, config);
    await makeFolder(this.#folder, 0o700);
    await writeFileAtomic(join(this.#folder, name), JSON.stringify(record), { mode: 0o600 });
    await this.#removeOthers(server, name);
  }

  remove(server: string): Promise<void> {
    return this.#removeOthers(server, undefined);
  }

  /** Records of the same server with another configuration. */
  async #removeOthers(server: string, kept: string | undefined): Promise<void> {
    const start = nameHash(server);
    const names = (await readdir(this.#folder).catch(ignoreMissing)) ?? [];
    const old = names.filter((name) => name.startsWith(start) && name !== kept);
    await Promise.all(old.map((name) => removeFile(join(this.#folder, name))));
  }
}

/** By everything that decides what a server is. The values of secrets do not belong to it, not even as a hash. */
function fileName(server: string, config: McpServerConfig): string {
  const { type, command, args, cwd, url, env, headers } = config;
  const identity = [type, command, args, cwd, url, Object.keys(env), Object.keys(headers)];
  return `${nameHash(server)}-${hash(JSON.stringify(identity))}.json`;
}

function nameHash(server: string): string {
  return hash(server);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
