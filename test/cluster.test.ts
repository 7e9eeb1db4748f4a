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
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import type { Held } from "../src/storage/cluster/cluster-rows.ts";
import { ClusterStore } from "../src/storage/cluster/cluster-store.ts";
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

  async function open(store: ClusterStore, held: Held, largestFile?: number, clock: Clock = systemClock) {
    const home = join(await createTemporaryFolder(), "home");
    const seal = new Seal(held.id, secret);
    const source = { id: held.id, home, store, seal, ...(largestFile && { largestFile }) };
    const { tree, lastChange } = await restoreHome(source);
    const takenAt = { elapsed: clock.elapsed(), now: clock.now() };
    const options = { home, held, store, seal, tree, clock, leaseMs, takenAt, lastChange };
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

  it("waits while the disk of the database is full, and stores what was captured once there is room", async () => {
    const { store, home, engine } = await begin();
    postgres.ask(
      url,
      `create function fill() returns trigger language plpgsql as
         'begin raise exception ''no space left on device'' using errcode = ''53100''; end';
       create trigger full_disk before insert on home_block for each row execute function fill()`,
    );
    writeFileSync(join(home, "a.md"), "one");
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("unavailable"));
    writeFileSync(join(home, "a.md"), "two");
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("unavailable"));
    postgres.ask(url, "drop trigger full_disk on home_block");
    await engine.commit();
    expect(readKept(await restoreElsewhere(store))).toEqual({ "a.md": "two" });
  });

  it("does nothing once its lease is over by one of two clocks, and goes on when one is set back", async () => {
    const store = await openStore();
    await store.addHome("one");
    const held = await take(store);
    const moved = { elapsed: 0, now: 0 };
    const clock = {
      ...systemClock,
      elapsed: () => systemClock.elapsed() + moved.elapsed,
      now: () => systemClock.now() + moved.now,
    };
    const { engine } = await open(store, held, undefined, clock);
    moved.now = -24 * 3_600_000;
    engine.assertHeld();
    // Set forward, or the machine slept: the wall clock alone says so.
    moved.now = leaseMs;
    expect(() => engine.assertHeld()).toThrow(new DurabilityError("lost"));
    moved.now = 0;
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("lost"));
    const second = await open(store, held, undefined, clock);
    moved.elapsed = leaseMs;
    expect(() => second.engine.assertHeld()).toThrow(new DurabilityError("lost"));
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

  it("stores the rest once something that there was no room for is removed", async () => {
    const store = await openStore();
    await store.addHome("one", 20_000);
    const { home, engine } = await open(store, await take(store));
    writeFileSync(join(home, "a.md"), "x".repeat(60_000));
    engine.changed("a.md");
    await expect(engine.commit()).rejects.toThrow(new DurabilityError("quota"));
    writeFileSync(join(home, "b.md"), "kept");
    engine.changed("b.md");
    rmSync(join(home, "a.md"));
    engine.changed("a.md");
    await engine.commit();
    expect(readKept(await restoreElsewhere(store))).toEqual({ "b.md": "kept" });
  });

  it("stores a large file piece by piece, and again only what changed of it, also under another name", async () => {
    const store = await openStore();
    await store.addHome("one");
    const piece = 512 * 8192;
    const { home, engine } = await open(store, await take(store), 1024 * 1024);
    const content = Buffer.alloc(2 * piece + 100, "a");
    content.write("the end", content.length - 7);
    mkdirSync(join(home, "workspace"));
    writeFileSync(join(home, "workspace", "film"), content);
    engine.mayHaveChanged();
    await engine.settle();
    const readFilm = async (name: string) =>
      readFileSync(join(await restoreElsewhere(store), "workspace", name));
    expect((await readFilm("film")).equals(content)).toBe(true);
    const { version } = engine.held;
    content.write("changed", piece + 50);
    writeFileSync(join(home, "workspace", "film"), content);
    renameSync(join(home, "workspace", "film"), join(home, "workspace", "cut"));
    engine.mayHaveChanged();
    await engine.settle();
    expect((await readFilm("cut")).equals(content)).toBe(true);
    const since = `select count(*) from home_block where home = 'one' and version > ${version}`;
    expect(postgres.ask(url, since)).toBe("1");
    truncateSync(join(home, "workspace", "cut"), piece + 8192);
    engine.mayHaveChanged();
    await engine.settle();
    expect((await readFilm("cut")).equals(content.subarray(0, piece + 8192))).toBe(true);
  });

  it("keeps nothing of a large file whose holder ended in the middle of it, or that there is no room for", async () => {
    const store = await openStore();
    await store.addHome("one");
    const first = await open(store, await take(store), 1024 * 1024);
    mkdirSync(join(first.home, "workspace"));
    writeFileSync(join(first.home, "workspace", "film"), Buffer.alloc(3 * 512 * 8192, "a"));
    first.engine.mayHaveChanged();
    await first.engine.commit();
    const count = () => Number(postgres.ask(url, "select count(*) from home_block where home = 'one'"));
    await expect.poll(count).toBeGreaterThan(0);
    // Another one has it now: what is under way is not stored any more.
    postgres.ask(url, "update home set deadline = '-infinity', term = term + 1");
    const second = await open(store, await take(store, "one", "b"), 1024 * 1024);
    await first.engine.settle().catch(() => {});
    expect(readKept(second.home)).toEqual({});
    expect(count()).toBeGreaterThan(0);
    await second.engine.commit();
    expect(count()).toBe(0);

    await store.setQuota("one", 6 * 1024 * 1024);
    mkdirSync(join(second.home, "workspace"), { recursive: true });
    writeFileSync(join(second.home, "workspace", "film"), Buffer.alloc(3 * 512 * 8192, "a"));
    second.engine.mayHaveChanged();
    await expect(second.engine.settle()).rejects.toThrow(new DurabilityError("quota"));
    writeFileSync(join(second.home, "b.md"), "kept");
    second.engine.changed("b.md");
    await second.engine.commit();
    expect(readKept(await restoreElsewhere(store))).toEqual({ "b.md": "kept" });
    expect(count()).toBe(1);
  });

  it("leaves out what .nanobotignore names, from then on", async () => {
    const { store, home, engine } = await begin();
    const write = (path: string) => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), "x");
    };
    const files = [
      "workspace/build/a",
      "workspace/deep/build/b",
      "workspace/raw/c.tmp1",
      "workspace/d",
      "build/e",
    ];
    for (const path of files) write(path);
    engine.changed("");
    await engine.commit();
    expect(Object.keys(readKept(await restoreElsewhere(store)))).toEqual(expect.arrayContaining(files));
    writeFileSync(join(home, "workspace", ".nanobotignore"), "# made again\nbuild/\n/raw/*.tmp1\n");
    write("workspace/build/f");
    engine.mayHaveChanged();
    await engine.commit();
    const kept = readKept(await restoreElsewhere(store));
    expect(Object.keys(kept).sort()).toEqual(["build/e", "workspace/.nanobotignore", "workspace/d"]);
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

  it("sleeps until it is due, until someone asks for it, or until it is wanted elsewhere", async () => {
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
