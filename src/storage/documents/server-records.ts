// What is kept of MCP servers: a file for each server with its configuration, named by the hashes of both. It can be
// deleted at will. Knows nothing of the records.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../lib/json-tree.ts";
import { makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import { readJsonFile } from "../files/json-file.ts";
import { ignoreMissing } from "../files/plain-file.ts";

export class ServerRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `identity`: everything that decides what a server is, without secrets. Undefined for what cannot be read. */
  async load(server: string, identity: unknown): Promise<JsonObject | undefined> {
    const read = await readJsonFile(join(this.#folder, toName(server, identity)));
    return read.state === "read" ? read.value : undefined;
  }

  /** Takes the place of the records of the same server with another configuration. */
  async save(server: string, identity: unknown, record: object): Promise<void> {
    const name = toName(server, identity);
    await makeFolder(this.#folder);
    await writeFileAtomic(join(this.#folder, name), JSON.stringify(record), { mode: 0o600 });
    await this.#removeOthers(server, name);
  }

  remove(server: string): Promise<void> {
    return this.#removeOthers(server, undefined);
  }

  async #removeOthers(server: string, kept: string | undefined): Promise<void> {
    const start = hash(server);
    const names = (await readdir(this.#folder).catch(ignoreMissing)) ?? [];
    const old = names.filter((name) => name.startsWith(start) && name !== kept);
    await Promise.all(old.map((name) => removeFile(join(this.#folder, name))));
  }
}

function toName(server: string, identity: unknown): string {
  return `${hash(server)}-${hash(JSON.stringify(identity))}.json`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
