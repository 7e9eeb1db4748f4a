// Where the owner has signed in to MCP servers: one private file of rows by server, and changes that no other process makes
// at the same time. A row belongs to one address: it is not found for another. Knows nothing of what is in it.
import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { readJsonFile } from "../files/json-file.ts";
import { StateFile } from "../files/state-file.ts";
import type { HomePaths } from "../home.ts";
import { holdHome } from "../home-lock.ts";

/** A renewal asks another machine, so that others may have to wait for it. */
const patienceMs = 90_000;
const lockName = "mcp-sign-ins";
const withinProcess = new KeyedLock();

export interface ServerId {
  name: string;
  url: string;
}

export class ServerSignIns {
  readonly #paths: HomePaths;
  readonly #clock: Clock;
  readonly #file: StateFile;
  #read?: { stamp: string; rows: Promise<JsonObject> };

  constructor(paths: HomePaths, clock: Clock) {
    this.#paths = paths;
    this.#clock = clock;
    this.#file = new StateFile(paths.mcpSignIns);
  }

  /** Undefined: nothing is known of this server at this address. */
  async find(server: ServerId): Promise<JsonObject | undefined> {
    const stamp = await this.#file.stamp();
    if (this.#read?.stamp !== stamp) this.#read = { stamp, rows: this.#load() };
    return pick(await this.#read.rows, server) ?? (await this.#findOfPython(server));
  }

  /** Which server has a row that fits. */
  async search(fits: (row: JsonObject) => boolean): Promise<{ name: string; row: JsonObject } | undefined> {
    const found = Object.entries(await this.#load()).find(([, row]) => isRecord(row) && fits(row));
    return found === undefined ? undefined : { name: found[0], row: found[1] as JsonObject };
  }

  /** Nobody else changes anything until the work is done; undefined removes the row. */
  change(
    server: ServerId,
    work: (row: JsonObject | undefined) => Promise<JsonObject | undefined>,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined> {
    return withinProcess.run(this.#file.path, async () => {
      const options = { home: this.#paths.home, clock: this.#clock, name: lockName, patienceMs };
      const release = await holdHome(options, lockName, signal);
      try {
        const rows = await this.#load();
        const before = pick(rows, server) ?? (await this.#findOfPython(server));
        const after = await work(before);
        if (after === before && after !== undefined) return after;
        const { [server.name]: _, ...others } = rows;
        if (after !== undefined || server.name in rows)
          await this.#file.write({
            ...others,
            ...(after && { [server.name]: { ...after, url: server.url } }),
          });
        return after;
      } finally {
        release();
      }
    });
  }

  async #load(): Promise<JsonObject> {
    return (await this.#file.read()).value ?? {};
  }

  /** What the Python original has kept for the same name and address. It stays there, untouched. */
  async #findOfPython({ name, url }: ServerId): Promise<JsonObject | undefined> {
    const file = await readJsonFile(this.#paths.pythonSignIns);
    const servers = file.state === "read" && isRecord(file.value.servers) ? file.value.servers : {};
    const row = servers[name];
    if (!isRecord(row) || row.server_fingerprint !== createHash("sha256").update(url.trim()).digest("hex"))
      return undefined;
    const { tokens, client_info: client, redirect_uri: redirectUrl } = row;
    return { url, ...(isRecord(tokens) && { tokens }), ...(isRecord(client) && { client, redirectUrl }) };
  }
}

function pick(rows: JsonObject, { name, url }: ServerId): JsonObject | undefined {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return isRecord(row) && row.url === url ? row : undefined;
}
