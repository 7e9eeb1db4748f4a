// The connection to PostgreSQL. The URL may name several hosts, of which one takes writes: that one is asked, until it fails or
// no longer takes them. A call that fails is not repeated here; the next one goes to the host that is found then.

import type { Pool, PoolClient, QueryResult, QueryResultRow } from "pg";
import { fail } from "../../i18n/user-error.ts";
import { toInstallCommand } from "../../lib/program-command.ts";

interface Call {
  text: string;
  values: unknown[];
  /** Beyond the usual. */
  moreMs?: number;
}

/** A server that says nothing is as good as none: its lease would end while it is waited for. */
const answerMs = 5_000;
/** Of one worker. */
export const mostConnections = 4;
/** Read-only: it was promoted elsewhere. */
const notPrimary = "25006";
/** The server is at work, but refuses this statement: another host would do the same. */
const ofStatement = /^(?:0A|2[0-4]|2[6-9]|3|4[0-4]|53[^3]|54|P0)/;

export class DatabaseHosts {
  readonly #urls: string[];
  #at = 0;
  #pool: Promise<Pool> | undefined;

  constructor(url: string) {
    this.#urls = splitHosts(url);
  }

  async query<Row extends QueryResultRow>({ text, values, moreMs = 0 }: Call): Promise<QueryResult<Row>> {
    const pool = await this.#open();
    // `pg` takes a limit for one call; its types do not know it.
    const call = { text, values, query_timeout: answerMs + moreMs };
    return pool.query<Row>(call).catch((error: unknown) => this.#leave(error));
  }

  async inTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await (await this.#open()).connect().catch((error: unknown) => this.#leave(error));
    try {
      await client.query("begin");
      await work(client);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  async close(): Promise<void> {
    await (await this.#pool?.catch(() => undefined))?.end();
  }

  #open(): Promise<Pool> {
    this.#pool ??= this.#find().catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    return this.#pool;
  }

  /** The first that takes writes, beginning with the one that was used last. */
  async #find(): Promise<Pool> {
    let reason: unknown;
    for (let tried = 0; tried < this.#urls.length; tried++, this.#at = (this.#at + 1) % this.#urls.length) {
      const pool = await createPool(this.#urls[this.#at] ?? "");
      if (this.#urls.length === 1) return pool;
      try {
        const { rows } = await pool.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
        if (rows[0]?.standby === false) return pool;
        reason = Object.assign(new Error("no host takes writes"), { code: notPrimary });
      } catch (error) {
        reason = error;
      }
      await pool.end().catch(() => {});
    }
    throw reason;
  }

  #leave(error: unknown): never {
    const { code = "" } = error as { code?: string };
    if (this.#urls.length > 1 && !ofStatement.test(code)) {
      const left = this.#pool;
      this.#pool = undefined;
      void left?.then((pool) => pool.end()).catch(() => {});
    }
    throw error;
  }
}

async function createPool(connectionString: string): Promise<Pool> {
  const { default: pg } = await import("pg").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw fail("cluster.no-driver", { command: toInstallCommand(["pg@8"]) });
  });
  const pool = new pg.Pool({
    ...{ connectionString, max: mostConnections, keepAlive: true },
    ...{ connectionTimeoutMillis: answerMs, query_timeout: answerMs },
  });
  // An idle connection that breaks is replaced by the next call.
  pool.on("error", () => {});
  return pool;
}

/** `postgresql://user@one:5432,two:5432/name` is one URL for each host. */
export function splitHosts(url: string): string[] {
  const [, before, hosts, after = ""] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (before === undefined || hosts === undefined) return [url];
  return hosts.split(",").map((host) => before + host + after);
}
