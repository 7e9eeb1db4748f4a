// The calls to PostgreSQL: who holds a home, and what it wrote. Every store is one round trip through the fence.
import { randomUUID } from "node:crypto";
import type { QueryResultRow } from "pg";
import { fail } from "../../i18n/user-error.ts";
import type {
  DatabaseFacts,
  FoundHome,
  Held,
  HomeRow,
  Shipment,
  StoredBlock,
  StoredFile,
  TakingWorker,
  Verdict,
  WorkerRow,
} from "./cluster-rows.ts";
import { DatabaseHosts } from "./database-hosts.ts";
import { createSchema, homeFormat, schemaVersion } from "./schema.ts";

/** A home that three workers began and none ended well is left alone: one poisonous message must not kill them all. */
export const mostTakes = 3;

/** A connection that is slower than a megabyte a second counts as broken. */
const slowestBytesAMs = 1_000;

export class ClusterStore {
  readonly #hosts: DatabaseHosts;

  constructor(url: string) {
    this.#hosts = new DatabaseHosts(url);
  }

  close(): Promise<void> {
    return this.#hosts.close();
  }

  /** Makes or completes the tables; `check` is the mark of the key, which has to be the same everywhere. */
  async prepare(check: string): Promise<void> {
    await this.#hosts.inTransaction(async (client) => {
      await client.query("select pg_advisory_xact_lock(hashtext('nanobot cluster'))");
      await client.query(createSchema);
      await client.query("insert into cluster values ('schema', '0'), ('key', $1) on conflict do nothing", [
        check,
      ]);
      await client.query("update cluster set value = $1 where key = 'schema' and value::int < $1::int", [
        schemaVersion,
      ]);
    });
    await this.verify(check);
  }

  /** The marks of the keys that are known here: the cluster's has to be one of them. */
  async verify(...checks: string[]): Promise<void> {
    const { rows } = await this.#ask<{ key: string; value: string }>("select key, value from cluster").catch(
      (error: { code?: string }) => {
        if (error.code === "42P01") throw fail("cluster.not-prepared", {});
        throw error;
      },
    );
    const facts = new Map(rows.map(({ key, value }) => [key, value]));
    const found = Number(facts.get("schema"));
    if (found > schemaVersion + 1)
      throw fail("cluster.newer-schema", { found: String(found), known: schemaVersion });
    if (found < schemaVersion) throw fail("cluster.older-schema", {});
    if (!checks.includes(facts.get("key") ?? "")) throw fail("cluster.other-key", {});
  }

  async setKey(check: string): Promise<void> {
    await this.#ask("update cluster set value = $1 where key = 'key'", [check]);
  }

  async addHome(id: string, quota: number | null = null): Promise<boolean> {
    const sql = "insert into home (id, quota, format) values ($1, $2, $3) on conflict do nothing";
    const { rowCount } = await this.#ask(sql, [id, quota, homeFormat]);
    return rowCount === 1;
  }

  async removeHome(id: string): Promise<boolean> {
    const sql = "delete from home where id = $1 and deadline < clock_timestamp()";
    const { rowCount } = await this.#ask(sql, [id]);
    return rowCount === 1;
  }

  /** Homes that nobody holds, at most so many, for this worker. The lease begins now. */
  async take(worker: TakingWorker, most: number, leaseMs: number): Promise<Held[]> {
    const sql = `
      update home set term = term + 1, token = gen_random_uuid(), holder = $1, address = $2, takes = takes + 1,
        wake_at = null, wanted = null, deadline = clock_timestamp() + $4 * interval '1 ms'
      where id in (
        select id from home
        where id <> all($5) and deadline < clock_timestamp() and (wake_at is null or wake_at <= clock_timestamp())
          and (wanted is null or wanted = $1 or wanted_until < clock_timestamp()) and not is_suspended and takes < ${mostTakes} and format <= ${homeFormat}
        order by deadline limit $3 for update skip locked)
      returning id, term, token, version, allowed`;
    const { rows } = await this.#ask<HeldRow>(sql, [
      worker.name,
      worker.address,
      most,
      leaseMs,
      worker.except ?? [],
    ]);
    return rows.map(toHeld);
  }

  /** One home, for a command: whether it is held or free decides. */
  async takeOne(id: string, holder: string, leaseMs: number): Promise<Held | undefined> {
    const sql = `
      update home set term = term + 1, token = gen_random_uuid(), holder = $2, address = '',
        deadline = clock_timestamp() + $3 * interval '1 ms'
      where id = $1 and deadline < clock_timestamp() returning id, term, token, version, allowed`;
    const { rows } = await this.#ask<HeldRow>(sql, [id, holder, leaseMs]);
    return rows.map(toHeld)[0];
  }

  /** After a pause of the database: the lease is over, and nobody took the home meanwhile. */
  async takeAgain({ id, term, token }: Held, leaseMs: number): Promise<Held | undefined> {
    const sql = `
      update home set term = term + 1, token = gen_random_uuid(),
        deadline = clock_timestamp() + $4 * interval '1 ms'
      where id = $1 and term = $2 and token = $3 returning id, term, token, version, allowed`;
    const { rows } = await this.#ask<HeldRow>(sql, [id, term, token, leaseMs]);
    return rows.map(toHeld)[0];
  }

  /** All homes of a worker in one call; those that have run well for a while have no failed take behind them. Returns those that are still its own, and whether each has to be given back. */
  async renew(
    held: ReadonlyArray<Held & { isSettled: boolean }>,
    leaseMs: number,
  ): Promise<Map<string, { hasToGo: boolean }>> {
    const sql = `
      update home set deadline = clock_timestamp() + $3 * interval '1 ms',
        takes = case when mine.settled then 0 else takes end
      from unnest($1::text[], $2::uuid[], $4::boolean[]) as mine(id, token, settled)
      where home.id = mine.id and home.token = mine.token and home.deadline >= clock_timestamp()
      returning home.id, home.is_suspended
        or (home.wanted <> home.holder and home.wanted_until > clock_timestamp()) as "hasToGo"`;
    const settled = held.map(({ isSettled }) => isSettled);
    const values = [held.map(({ id }) => id), held.map(({ token }) => token), leaseMs, settled];
    const { rows } = await this.#ask<{ id: string; hasToGo: boolean | null }>(sql, values);
    return new Map(rows.map(({ id, hasToGo }) => [id, { hasToGo: hasToGo === true }]));
  }

  /** A clean end: the next worker need not wait. One that sleeps is taken when it is due, or when someone asks for it. */
  async release({ id, term, token }: Held, wakeAt: number | null = null): Promise<void> {
    const sql = `update home set deadline = '-infinity', holder = null, address = null, takes = 0,
        wake_at = case when $4::float8 is null then null else to_timestamp($4::float8 / 1000) end
      where id = $1 and term = $2 and token = $3`;
    await this.#ask(sql, [id, term, token, wakeAt]);
  }

  /** Someone asks for a home that sleeps. */
  async wake(id: string): Promise<void> {
    await this.#ask("update home set wake_at = null where id = $1 and wake_at is not null", [id]);
  }

  async store(held: Held, shipment: Shipment, leaseMs: number): Promise<Verdict> {
    const { files, removed, cuts, blocks, changes } = shipment;
    const bytes = [...blocks, ...changes].reduce((sum, each) => sum + each.bytes.length, 0);
    const sql = `select home_commit($1, $2, $3, $4, $5, $6, $7, $8, $9::smallint[], $10, $11, $12, $13, $14, $15, $16, $17, $18,
      $19, $20) as verdict`;
    const values = [
      held.id,
      held.term,
      held.token,
      shipment.expected,
      shipment.id,
      leaseMs,
      files.map(({ file }) => file),
      files.map(({ name }) => name),
      files.map(({ kind }) => kind),
      files.map(({ mode }) => mode),
      files.map(({ size }) => size),
      removed,
      cuts.map(({ file }) => file),
      cuts.map(({ no }) => no),
      blocks.map(({ file }) => file),
      blocks.map(({ no }) => no),
      blocks.map(({ bytes }) => bytes),
      changes.map(({ seq }) => seq),
      changes.map(({ bytes }) => bytes),
      shipment.forgetsChanges,
    ];
    const { rows } = await this.#ask<{ verdict: Verdict }>(sql, values, bytes / slowestBytesAMs);
    return rows[0]?.verdict ?? "lost";
  }

  async readFiles(id: string): Promise<StoredFile[]> {
    const sql = "select file, version, name, kind, mode, size from home_file where home = $1";
    const { rows } = await this.#ask<Record<keyof StoredFile, string> & { name: Buffer }>(sql, [id]);
    return rows.map(({ file, version, name, kind, mode, size }) => ({
      file: Number(file),
      version: Number(version),
      name,
      kind: Number(kind),
      mode: Number(mode),
      size: Number(size),
    }));
  }

  /** In the order of files and places, a bounded number in memory. */
  async *readBlocks(id: string): AsyncGenerator<StoredBlock> {
    const sql = `select file, no, version, bytes from home_block
      where home = $1 and (file, no) > ($2, $3) order by file, no limit 512`;
    for (let last = [-1, -1]; ; ) {
      const { rows } = await this.#ask<{ file: string; no: number; version: string; bytes: Buffer }>(sql, [
        id,
        ...last,
      ]);
      for (const { file, no, version, bytes } of rows)
        yield { file: Number(file), no, version: Number(version), bytes };
      const end = rows.at(-1);
      if (end === undefined) return;
      last = [Number(end.file), end.no];
    }
  }

  async readChanges(id: string): Promise<Array<{ seq: number; version: number; bytes: Buffer }>> {
    const sql = "select seq, version, bytes from home_change where home = $1 order by seq";
    const { rows } = await this.#ask<{ seq: string; version: string; bytes: Buffer }>(sql, [id]);
    return rows.map(({ seq, version, bytes }) => ({ seq: Number(seq), version: Number(version), bytes }));
  }

  async reportWorker(worker: Omit<WorkerRow, "isAlive">): Promise<void> {
    const sql = `insert into worker (name, address, seen, homes, capacity) values ($1, $2, clock_timestamp(), $3, $4)
      on conflict (name) do update set address = excluded.address, seen = excluded.seen, homes = excluded.homes,
        capacity = excluded.capacity`;
    await this.#ask(sql, [worker.name, worker.address, worker.homes, worker.capacity]);
  }

  async removeWorker(name: string): Promise<void> {
    await this.#ask("delete from worker where name = $1", [name]);
  }

  async listHomes(): Promise<HomeRow[]> {
    const { rows } = await this.#ask<StoredHome>(
      `select id, term, holder, address, deadline >= clock_timestamp() as "isHeld", version, bytes, quota, takes,
         is_suspended as "isSuspended", allowed, coalesce(wake_at > clock_timestamp(), false) as "isAsleep"
       from home order by id`,
    );
    return rows.map((row) => ({
      ...row,
      version: Number(row.version),
      bytes: Number(row.bytes),
      quota: row.quota === null ? null : Number(row.quota),
    }));
  }

  async listWorkers(leaseMs: number): Promise<WorkerRow[]> {
    const { rows } = await this.#ask<WorkerRow>(
      `select name, address, homes, capacity, seen > clock_timestamp() - $1 * interval '1 ms' as "isAlive"
       from worker order by name`,
      [2 * leaseMs],
    );
    return rows;
  }

  async suspend(id: string, isSuspended: boolean): Promise<boolean> {
    const { rowCount } = await this.#ask(
      "update home set is_suspended = $2, takes = 0, wake_at = null where id = $1",
      [id, isSuspended],
    );
    return rowCount === 1;
  }

  /** Instead of the name that it had. False when the name leads to another home already. */
  async setHost(id: string, host: string): Promise<boolean> {
    const sql = `insert into home_host (home, host) values ($1, $2)
      on conflict (home) do update set host = excluded.host`;
    try {
      await this.#ask(sql, [id, host]);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === "23505") return false;
      throw error;
    }
  }

  async hostOf(id: string): Promise<string | undefined> {
    const sql = "select host from home_host where home = $1";
    const { rows } = await this.#ask<{ host: string }>(sql, [id]);
    return rows[0]?.host;
  }

  findByHost(host: string): Promise<FoundHome | undefined> {
    return this.#find("(select home from home_host where host = $1)", host);
  }

  findHome(id: string): Promise<FoundHome | undefined> {
    return this.#find("$1", id);
  }

  /** The address is that of the worker that holds the home now. */
  async #find(which: string, value: string): Promise<FoundHome | undefined> {
    const sql = `select id, case when deadline >= clock_timestamp() then address end as address,
        coalesce(wake_at > clock_timestamp(), false) as "isAsleep"
      from home where id = ${which}`;
    const { rows } = await this.#ask<FoundHome>(sql, [value]);
    return rows[0];
  }

  /** To one worker, which has so long to take it. */
  async move(id: string, worker: string, withinMs: number): Promise<boolean> {
    const sql = `update home set wanted = $2, wanted_until = clock_timestamp() + $3 * interval '1 ms', wake_at = null
      where id = $1`;
    const { rowCount } = await this.#ask(sql, [id, worker, withinMs]);
    return rowCount === 1;
  }

  async allow(id: string, allowed: string): Promise<boolean> {
    const { rowCount } = await this.#ask("update home set allowed = $2 where id = $1", [id, allowed]);
    return rowCount === 1;
  }

  async setQuota(id: string, quota: number | null): Promise<boolean> {
    const { rowCount } = await this.#ask("update home set quota = $2 where id = $1", [id, quota]);
    return rowCount === 1;
  }

  /** What a check of the database needs to know. */
  async inspect(): Promise<DatabaseFacts> {
    const sql = `select split_part(current_setting('server_version'), ' ', 1) as version,
        current_setting('fsync') = 'on' as "isSynced",
        current_setting('synchronous_commit') not in ('off', 'local') as "isCommitted",
        current_setting('max_connections')::int as "mostConnections",
        (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as standbys,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
          or inet_server_addr() is null or inet_server_addr() <<= '127.0.0.0/8' as "isPrivate",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        pg_database_size(current_database())::float8 as bytes`;
    const { rows } = await this.#ask<DatabaseFacts>(sql);
    return rows[0] as DatabaseFacts;
  }

  #ask<Row extends QueryResultRow>(text: string, values: unknown[] = [], moreMs = 0) {
    return this.#hosts.query<Row>({ text, values, moreMs });
  }
}

/** Numbers of 64 bits come as text. */
type HeldRow = Omit<Held, "version"> & { version: string };
type StoredHome = Omit<HomeRow, "version" | "bytes" | "quota"> & {
  version: string;
  bytes: string;
  quota: string | null;
};

function toHeld(row: HeldRow): Held {
  return { ...row, version: Number(row.version) };
}

export function newShipmentId(): string {
  return randomUUID();
}
