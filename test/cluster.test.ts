// Homes on PostgreSQL: what was committed is restored byte for byte and row for row, nothing of an earlier holder is ever stored,
// and what a database that is away, full or of another key does to a home.
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { ClusterStore, type Held } from "../src/storage/cluster/cluster-store.ts";
import { splitHosts } from "../src/storage/cluster/database-hosts.ts";
import { resealHome } from "../src/storage/cluster/move-home.ts";
import { PostgresDurability } from "../src/storage/cluster/postgres-durability.ts";
import { restoreHome } from "../src/storage/cluster/restore-home.ts";
import { schemaVersion } from "../src/storage/cluster/schema.ts";
import { Seal } from "../src/storage/cluster/seal.ts";
import { DurabilityError, localDurability } from "../src/storage/durability.ts";
import { durabilityOf, serveHome } from "../src/storage/served-homes.ts";
import { cases } from "./support/long-form.ts";
import { hasPostgres, type Postgres, startPostgres } from "./support/postgres.ts";
import { readKept } from "./support/recording-durability.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const secret = "the key of a test";
const leaseMs = 60_000;

describe.skipIf(!hasPostgres)("a home on PostgreSQL", () => {
  let postgres: Postgres;
  /** Of the last store. */
  let url = "";
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());

  async function openStore(): Promise<ClusterStore> {
    url = await postgres.createDatabase();
    const store = new ClusterStore(url);
    onTestFinished(() => store.close());
    await store.prepare("check");
    return store;
  }

  async function take(store: ClusterStore, id = "one", worker = "a"): Promise<Held> {
    const [held] = await store.take({ name: worker, address: "" }, 1, leaseMs);
    if (held?.id !== id) throw new Error(`${id} was not taken`);
    return held;
  }

  async function open(store: ClusterStore, held: Held) {
    const home = join(await createTemporaryFolder(), "home");
    const seal = new Seal(held.id, secret);
    const { tree, lastChange } = await restoreHome({ id: held.id, home, store, seal });
    const takenAt = { elapsed: systemClock.elapsed(), now: systemClock.now() };
    const options = { home, held, store, seal, tree, clock: systemClock, leaseMs, takenAt, lastChange };
    return { home, engine: await PostgresDurability.open(options) };
  }

  async function begin() {
    const store = await openStore();
    await store.addHome("one");
    return { store, ...(await open(store, await take(store))) };
  }

  /** As another machine would find it. */
  async function restoreElsewhere(store: ClusterStore): Promise<string> {
    const home = join(await createTemporaryFolder(), "elsewhere");
    await restoreHome({ id: "one", home, store, seal: new Seal("one", secret) });
    return home;
  }

  it("is restored as it was after each commit, whatever was written, renamed, cut and removed between", async () => {
    const store = await openStore();
    let count = 0;
    const name = fc.constantFrom("a.md", "b.jsonl", "folder", "folder/c.jsonl", "folder/deep/d.txt", "other");
    const step = fc.record({
      kind: fc.constantFrom("write", "append", "cut", "remove", "rename", "folder", "link", "mode"),
      name,
      to: name,
      size: fc.integer({ min: 0, max: 30_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), async (rounds) => {
        const id = `home${++count}`;
        await store.addHome(id);
        const { home, engine } = await open(store, await take(store, id));
        for (const round of rounds) {
          for (const each of round) apply(home, each, (path) => engine.changed(path));
          await engine.commit();
          const elsewhere = join(await createTemporaryFolder(), "elsewhere");
          await restoreHome({ id, home: elsewhere, store, seal: new Seal(id, secret) });
          expect(readKept(elsewhere)).toEqual(readKept(home));
        }
        await store.suspend(id, true);
      }),
      { numRuns: cases(30) },
    );
  });

  it("has every row of state.db, from a snapshot and the changes since", async () => {
    const { store, home, engine } = await begin();
    const database = new DatabaseSync(join(home, "state.db"));
    database.exec("CREATE TABLE said (id INTEGER PRIMARY KEY NOT NULL, text TEXT); PRAGMA user_version = 3");
    engine.snapshot("state.db");
    let session = database.createSession();
    for (let round = 0; round < 5; round++) {
      database.exec(`INSERT INTO said (text) VALUES ('round ${round}'); UPDATE said SET text = text || '!'`);
      engine.recordChanges(session.changeset());
      session.close();
      session = database.createSession();
      await engine.commit();
      const restored = new DatabaseSync(join(await restoreElsewhere(store), "state.db"));
      const sql = "SELECT * FROM said ORDER BY id";
      expect(restored.prepare(sql).all()).toEqual(database.prepare(sql).all());
      expect(restored.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 });
      restored.close();
    }
    session.close();
    database.close();
  });

  it("stores nothing of an earlier holder, also when its commit was on its way", async () => {
    const { store, home, engine } = await begin();
    writeFileSync(join(home, "a.md"), "first");
    engine.changed("a.md");
    await engine.commit();
    await store.release(engine.held);
    const second = await open(store, await take(store, "one", "b"));
    writeFileSync(join(home, "a.md"), "too late");
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("lost"));
    expect(() => engine.assertHeld()).toThrow(new DurabilityError("lost"));
    expect(readFileSync(join(await restoreElsewhere(store), "a.md"), "utf8")).toBe("first");
    writeFileSync(join(second.home, "a.md"), "second");
    second.engine.changed("a.md");
    await second.engine.commit();
    expect(readFileSync(join(await restoreElsewhere(store), "a.md"), "utf8")).toBe("second");
  });

  it("waits while the database is away, and stores what was captured then once it is back", async () => {
    const { store, home, engine } = await begin();
    await postgres.stop();
    writeFileSync(join(home, "a.md"), "one");
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("unavailable"));
    writeFileSync(join(home, "b.md"), "two");
    engine.changed("b.md");
    await postgres.start();
    await engine.commit();
    expect(readKept(await restoreElsewhere(store))).toEqual({ "a.md": "one", "b.md": "two" });
  });

  it("takes its home again when the lease ended in a pause and nobody came", async () => {
    const store = await openStore();
    await store.addHome("one");
    const [held] = await store.take({ name: "a", address: "" }, 1, 1);
    const { home, engine } = await open(store, held as Held);
    writeFileSync(join(home, "a.md"), "kept");
    engine.changed("a.md");
    await engine.commit();
    expect(engine.held.term).not.toBe(held?.term);
    expect(readKept(await restoreElsewhere(store))).toEqual({ "a.md": "kept" });
  });

  it("is told of a quota before it is over, and stores the rest once there is room", async () => {
    const store = await openStore();
    await store.addHome("one", 20_000);
    const { home, engine } = await open(store, await take(store));
    writeFileSync(join(home, "a.md"), "x".repeat(60_000));
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("quota"));
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("quota"));
    await store.setQuota("one", 200_000);
    await engine.commit();
    expect(Object.keys(readKept(await restoreElsewhere(store)))).toEqual(["a.md"]);
  });

  it("is not opened with another key, and nothing is overwritten", async () => {
    const { store, home, engine } = await begin();
    writeFileSync(join(home, "a.md"), "sealed");
    engine.changed("a.md");
    await engine.commit();
    const other = { id: "one", home: join(home, "../other"), store, seal: new Seal("one", "another key") };
    await expect(restoreHome(other)).rejects.toMatchObject({ phrase: { code: "cluster.sealed-otherwise" } });
    await expect(store.verify("another")).rejects.toMatchObject({ phrase: { code: "cluster.other-key" } });
    expect(readKept(await restoreElsewhere(store))).toEqual({ "a.md": "sealed" });
  });

  it("forgets the takes before, once it has run for a while", async () => {
    const store = await openStore();
    await store.addHome("one");
    const [first] = await store.take({ name: "a", address: "" }, 1, 0);
    const [held] = await store.take({ name: "a", address: "" }, 1, leaseMs);
    if (first === undefined || held === undefined) throw new Error("not taken");
    await store.renew([{ ...held, isSettled: false }], leaseMs);
    expect((await store.listHomes())[0]?.takes).toBe(2);
    expect((await store.renew([{ ...first, isSettled: true }], leaseMs)).size).toBe(0);
    await store.renew([{ ...held, isSettled: true }], leaseMs);
    expect((await store.listHomes())[0]?.takes).toBe(0);
  });

  it("stores nothing more after it was told that its lease is over, even where nobody came", async () => {
    const store = await openStore();
    await store.addHome("one");
    const [held] = await store.take({ name: "a", address: "" }, 1, leaseMs);
    const { home, engine } = await open(store, held as Held);
    engine.renewed({ elapsed: systemClock.elapsed() - leaseMs, now: systemClock.now() });
    expect(() => engine.assertHeld()).toThrow(new DurabilityError("lost"));
    engine.renewed({ elapsed: systemClock.elapsed(), now: systemClock.now() });
    writeFileSync(join(home, "a.md"), "too late");
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("lost"));
    expect(readKept(await restoreElsewhere(store))).toEqual({});
  });

  it("sleeps until it is due, until somebody asks for it, or until it is wanted elsewhere", async () => {
    const store = await openStore();
    await store.addHome("one");
    const worker = { name: "a", address: "" };
    const take = () => store.take(worker, 1, leaseMs);
    const sleep = async (until: number) => {
      const [held] = await take();
      await store.release(held as Held, until);
      return store.listHomes();
    };
    expect(await sleep(Number.POSITIVE_INFINITY)).toMatchObject([{ isAsleep: true, isHeld: false }]);
    expect(await take()).toEqual([]);
    await store.wake("one");
    expect(await sleep(Date.now() - 1_000)).toMatchObject([{ isAsleep: false }]);
    await sleep(Number.POSITIVE_INFINITY);
    await store.move("one", "b", leaseMs);
    expect(await take()).toEqual([]);
    const [held] = await store.take({ name: "b", address: "" }, 1, leaseMs);
    await store.move("one", "a", leaseMs);
    const kept = await store.renew([{ ...(held as Held), isSettled: false }], leaseMs);
    expect(kept.get("one")).toEqual({ hasToGo: true });
  });

  it("is served by a program of its schema, or of the one before it", async () => {
    const store = await openStore();
    const set = (version: number) =>
      postgres.ask(url, `update cluster set value = '${version}' where key = 'schema'`);
    set(schemaVersion + 2);
    await expect(store.verify("check")).rejects.toMatchObject({ phrase: { code: "cluster.newer-schema" } });
    set(schemaVersion + 1);
    await store.verify("check");
    set(schemaVersion - 1);
    await expect(store.verify("check")).rejects.toMatchObject({ phrase: { code: "cluster.older-schema" } });
    await store.prepare("check");
  });

  it("is asked for at each host that the address names", () => {
    expect(splitHosts("postgresql://u:p@one:1,two:2/name?x=y")).toEqual([
      "postgresql://u:p@one:1/name?x=y",
      "postgresql://u:p@two:2/name?x=y",
    ]);
    expect(splitHosts("postgresql://u@%2Ftmp%2Fx/name")).toEqual(["postgresql://u@%2Ftmp%2Fx/name"]);
  });

  it("is sealed again with a new key, and then needs the old one no longer", async () => {
    const { store, home, engine } = await begin();
    const state = new DatabaseSync(join(home, "state.db"));
    state.exec(
      "CREATE TABLE said (id INTEGER PRIMARY KEY NOT NULL, text TEXT); INSERT INTO said VALUES (1, 'x')",
    );
    state.close();
    engine.snapshot("state.db");
    mkdirSync(join(home, "folder"));
    writeFileSync(join(home, "folder", "a.jsonl"), "line\n".repeat(5_000));
    symlinkSync("folder", join(home, "link"));
    engine.changed("");
    await engine.commit();
    await store.release(engine.held);
    const kept = readKept(home);
    const read = async (...keys: [string, string?]) => {
      const to = join(await createTemporaryFolder(), "elsewhere");
      await restoreHome({ id: "one", home: to, store, seal: new Seal("one", ...keys) });
      return readKept(to);
    };
    const moved = {
      id: "one",
      store,
      secret: "new",
      also: secret,
      clock: systemClock,
    };
    await resealHome(moved);
    await resealHome(moved);
    expect(await read("new")).toEqual(kept);
    expect(await read("another", "new")).toEqual(kept);
    await expect(read(secret)).rejects.toMatchObject({ phrase: { code: "cluster.sealed-otherwise" } });
    const bytes = Number(postgres.ask(url, "select bytes from home"));
    const stored = Number(
      postgres.ask(
        url,
        "select sum(octet_length(bytes)) from (select bytes from home_block union all select bytes from home_change) b",
      ),
    );
    expect(bytes).toBe(stored);
  });

  it("is not taken by a worker where its last life still ends, and has its own durability in the next one", async () => {
    const { store, home, engine } = await begin();
    const leave = serveHome(home, engine);
    await store.release(engine.held);
    expect(await store.take({ name: "a", address: "", except: ["one"] }, 1, leaseMs)).toEqual([]);
    const next = await open(store, await take(store));
    const leaveNext = serveHome(home, next.engine);
    leave();
    expect(durabilityOf(join(home, "a.md"))).toBe(next.engine);
    leaveNext();
    expect(durabilityOf(join(home, "a.md"))).toBe(localDurability);
  });

  it("is left alone after three workers began and none ended well", async () => {
    const store = await openStore();
    await store.addHome("one");
    for (let time = 0; time < 3; time++)
      expect(await store.take({ name: "a", address: "" }, 9, 0)).toHaveLength(1);
    expect(await store.take({ name: "a", address: "" }, 9, 0)).toEqual([]);
    await store.suspend("one", false);
    expect(await store.take({ name: "a", address: "" }, 9, 0)).toHaveLength(1);
  });
});

interface Step {
  kind: string;
  name: string;
  to: string;
  size: number;
}

/** What cannot be done there is not done. */
function apply(home: string, { kind, name, to, size }: Step, changed: (path: string) => void): void {
  const path = join(home, name);
  const content = Buffer.alloc(size, `${kind} ${name} ${size} `);
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    // What a link leads to is another file.
    if (isLink && ["write", "append", "cut", "mode"].includes(kind)) return;
    if (kind === "write") writeFileSync(path, content);
    if (kind === "append") appendFileSync(path, content);
    if (kind === "cut") truncateSync(path, size);
    if (kind === "remove") rmSync(path, { recursive: true });
    if (kind === "rename") renameSync(path, join(home, to));
    if (kind === "folder") mkdirSync(path, { recursive: true });
    if (kind === "link") symlinkSync(to, path);
    if (kind === "mode") chmodSync(path, 0o640);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  changed(name);
  if (kind === "rename") changed(to);
}
