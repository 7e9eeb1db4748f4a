// Cluster: homes on PostgreSQL against one on the local disk, on this machine, in one run: turns of one home and of many, bytes a
// turn, takeover, what an idle home keeps in memory, and what it costs to ask a worker that does not hold the home. Starts a
// PostgreSQL of its own; blocks are encrypted, as always. The two sides alternate in rounds.
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildGateway, type Gateway } from "../src/app/build-gateway.ts";
import { Entrance } from "../src/cluster/entrance.ts";
import { ClusterWorker } from "../src/cluster/worker.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { createScripted } from "../src/llm/scripted.ts";
import { ClusterStore } from "../src/storage/cluster/cluster-store.ts";
import { resolveHome } from "../src/storage/home.ts";
import { type Postgres, startPostgres } from "../test/support/postgres.ts";
import { median, printFigure } from "./report.ts";

const [secret, leaseMs, key] = ["the key of a benchmark", 5_000, "key-of-the-api"];
const words = createWords("english");
const rounds = 10;

interface Scene {
  folder: string;
  postgres: Postgres;
  url: string;
  store: ClusterStore;
  turns: number;
}

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { turns: { type: "string", default: "200" }, only: { type: "string", default: "" } },
  });
  const folder = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const postgres = await startPostgres();
  try {
    const scene = { folder, postgres, turns: Number(values.turns) };
    // What is freed by the others would hide what an idle home takes: it comes first.
    for (const part of [benchIdle, benchOne, benchProxy, benchTakeover, benchMany, benchRegistered]) {
      if (!part.name.toLowerCase().endsWith(values.only)) continue;
      const url = await postgres.createDatabase();
      const store = new ClusterStore(url);
      await store.prepare("bench");
      await part({ ...scene, url, store });
      await store.close();
    }
  } finally {
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Against the same on the disk. */
async function benchOne({ folder, postgres, url, store, turns }: Scene): Promise<void> {
  await store.addHome("one");
  const local = await startLocal(join(folder, "local"));
  const worker = await startWorker(url, join(folder, "one"), "a");
  const gateway = await worker.begun("one");
  await talk(local.gateway, 5);
  await talk(gateway, 5);
  const taken = { local: [] as number[], cluster: [] as number[] };
  const readBytes = async () => (await store.listHomes())[0]?.bytes ?? 0;
  const readLog = () => Number(postgres.ask(url, "select pg_current_wal_lsn() - '0/0'"));
  const before = { bytes: await readBytes(), log: readLog() };
  for (let round = 0; round < rounds; round++) {
    taken.local.push(await talk(local.gateway, turns / rounds));
    taken.cluster.push(await talk(gateway, turns / rounds));
  }
  const base = 1000 / median(taken.local);
  printFigure({ name: "turns-on-disk", value: base, unit: "a second" });
  printFigure({
    ...{ name: "turns-on-postgres", value: 1000 / median(taken.cluster), unit: "a second" },
    baseline: base,
  });
  printFigure({
    name: "kept-a-turn",
    value: ((await readBytes()) - before.bytes) / turns / 1024,
    unit: "kB",
  });
  printFigure({ name: "written-to-wal-a-turn", value: (readLog() - before.log) / turns / 1024, unit: "kB" });
  const start = performance.now();
  await worker.stop();
  printFigure({ name: "hand-back", value: performance.now() - start, unit: "ms" });
  await local.stop();
}

/** A turn over HTTP, of a worker that holds the home and of one that does not. */
async function benchProxy({ folder, url, store, turns }: Scene): Promise<void> {
  await store.addHome("one");
  await store.setHost("one", "127.0.0.1");
  const holder = await startWorker(url, join(folder, "p1"), "holder", { isOpen: true });
  await holder.begun("one");
  const other = await startWorker(url, join(folder, "p2"), "other", { isOpen: true, capacity: 0 });
  const [near, far]: [number[], number[]] = [[], []];
  for (const { port } of [holder, other]) await ask(port, 3);
  for (let round = 0; round < rounds; round++) {
    near.push(await ask(holder.port, turns / rounds));
    far.push(await ask(other.port, turns / rounds));
  }
  const base = median(near);
  printFigure({ name: "turn-over-http", value: base, unit: "ms" });
  printFigure({ name: "turn-by-way-of-another-worker", value: median(far), unit: "ms", baseline: base });
  printFigure({ name: "cost-of-the-way", value: median(far) - base, unit: "ms" });
  await other.stop();
  await holder.stop();
}

/** Of a home whose worker died: from its last sign of life to the first answer elsewhere, beyond the lease. */
async function benchTakeover({ folder, url, store }: Scene): Promise<void> {
  await store.addHome("one");
  const first = await startWorker(url, join(folder, "t1"), "first");
  await talk(await first.begun("one"), 20);
  await first.stop();
  await store.take({ name: "dead", address: "" }, 1, leaseMs);
  const start = performance.now();
  const other = await startWorker(url, join(folder, "t2"), "other");
  const gateway = await other.begun("one");
  const begun = performance.now() - start;
  await talk(gateway, 1);
  printFigure({ name: "takeover-beyond-the-lease", value: begun - leaseMs, unit: "ms" });
  printFigure({
    name: "first-answer-beyond-the-lease",
    value: performance.now() - start - leaseMs,
    unit: "ms",
  });
  await other.stop();
}

/** All homes of a worker talk at once. */
async function benchMany({ folder, url, store, turns }: Scene): Promise<void> {
  const ids = Array.from({ length: 16 }, (_, index) => `home${index}`);
  for (const id of ids) await store.addHome(id);
  const worker = await startWorker(url, join(folder, "many"), "a", { capacity: ids.length });
  const gateways = await Promise.all(ids.map(worker.begun));
  await Promise.all(gateways.map((gateway) => talk(gateway, 3)));
  let base: number | undefined;
  for (const count of [1, 2, 4, 8, 16]) {
    const each = Math.max(10, Math.round(turns / count));
    const start = performance.now();
    await Promise.all(gateways.slice(0, count).map((gateway) => talk(gateway, each)));
    const value = (1000 * each * count) / (performance.now() - start);
    base ??= value;
    printFigure({ name: `turns-of-${count}-homes`, value, unit: "a second", baseline: base });
  }
  await worker.stop();
}

/** A thousand homes have a row, and fifty of them talk. */
async function benchRegistered({ folder, postgres, url, store, turns }: Scene): Promise<void> {
  const ids = Array.from({ length: 50 }, (_, index) => `home${index}`);
  for (const id of ids) await store.addHome(id);
  const worker = await startWorker(url, join(folder, "registered"), "a", { capacity: ids.length });
  const gateways = await Promise.all(ids.map(worker.begun));
  const each = Math.max(4, Math.round(turns / 10));
  const talkAll = async () => {
    const start = performance.now();
    await Promise.all(gateways.map((gateway) => talk(gateway, each)));
    return (1000 * each * ids.length) / (performance.now() - start);
  };
  await talkAll();
  const base = await talkAll();
  printFigure({ name: "turns-of-50-homes", value: base, unit: "a second" });
  postgres.ask(
    url,
    "insert into home (id, wake_at) select 'asleep' || n, 'infinity' from generate_series(1, 950) as n",
  );
  const value = await talkAll();
  printFigure({ name: "turns-of-50-among-1000-homes", value, unit: "a second", baseline: base });
  await worker.stop();
}

/** Homes that are awake, each after one turn, while nobody talks. Those that sleep keep nothing. */
async function benchIdle({ folder, url, store }: Scene): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const readMemory = () => {
    collect();
    collect();
    return process.memoryUsage().rss / 1024 / 1024;
  };
  for (const recalls of [true, false]) {
    const ids = Array.from({ length: 50 }, (_, index) => `${recalls ? "recalls" : "idle"}${index}`);
    const worker = await startWorker(url, join(folder, `idle-${recalls}`), `idle-${recalls}`, {
      ...{ capacity: ids.length, recalls },
    });
    await store.addHome(`warm${recalls}`);
    const warm = await worker.begun(`warm${recalls}`);
    await talk(warm, 3);
    const before = readMemory();
    for (const id of ids.slice(1)) {
      await store.addHome(id);
      await talk(await worker.begun(id), 1);
    }
    const each = (readMemory() - before) / (ids.length - 1);
    const name = recalls ? "with-recall" : "without-recall";
    printFigure({ name: `idle-home-${name}`, value: each, unit: "MB" });
    printFigure({ name: `idle-homes-${name}`, value: 1024 / each, unit: "in a GB" });
    await worker.stop();
  }
}

const provider = () => createScripted({ loop: true, steps: ["A short answer."] });

/** Milliseconds a turn. */
async function talk(gateway: Gateway, turns: number): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < turns; turn++)
    await gateway.app.loop.processDirect({ sessionKey: "web:one", text: `message ${turn}` });
  return (performance.now() - start) / turns;
}

/** Milliseconds a turn. */
async function ask(port: number, turns: number): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < turns; turn++) await post(port, `message ${turn}`);
  return (performance.now() - start) / turns;
}

function post(port: number, text: string): Promise<void> {
  const body = JSON.stringify({ model: "nanobot", messages: [{ role: "user", content: text }] });
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "x-session-id": "one",
    };
    const options = { host: "127.0.0.1", port, method: "POST", path: "/v1/chat/completions", headers };
    request(options, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`answered ${answer.statusCode}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

async function startLocal(home: string) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home },
    NANOBOT_MEMORY__AUTO_RECALL: "false",
  };
  const ending = new AbortController();
  const built = await buildGateway({
    ...{ paths: resolveHome({ env }), env, words, port: 0, provider: provider() },
    ...{ page: () => "", onStop() {} },
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const running = built.gateway.run(ending.signal);
  return { gateway: built.gateway, stop: () => end(ending, running) };
}

interface StartOptions {
  capacity?: number;
  recalls?: boolean;
  /** With a port of its own. */
  isOpen?: boolean;
}

async function startWorker(
  url: string,
  folder: string,
  name: string,
  { capacity = 1, recalls = false, isOpen = false }: StartOptions = {},
) {
  const store = new ClusterStore(url);
  const ending = new AbortController();
  const entrance = new Entrance({
    ...{ store, secret, patienceMs: leaseMs, clock: systemClock, log: silentLog },
    gatewayOf: (id) => worker.gatewayOf(id),
    onWait: (id) => worker.hurry(id),
    isReady: () => true,
  });
  const port = isOpen ? await entrance.listen(0, "127.0.0.1") : 0;
  const worker: ClusterWorker = new ClusterWorker({
    ...{ store, secret, name, address: `http://127.0.0.1:${port}`, folder, capacity, leaseMs, words },
    ...{ clock: systemClock, log: silentLog, provider: provider() },
    env: {
      PATH: process.env.PATH,
      NANOBOT_MEMORY__AUTO_RECALL: String(recalls),
      NANOBOT_API__API_KEY: key,
    },
  });
  const running = worker.run(ending.signal);
  return {
    port,
    async begun(id: string): Promise<Gateway> {
      worker.hurry(id);
      for (;;) {
        const gateway = worker.gatewayOf(id);
        if (gateway !== undefined) return gateway;
        await systemClock.sleep(2);
      }
    },
    async stop() {
      await end(ending, running);
      if (isOpen) await entrance.close();
      await store.close();
    },
  };
}

async function end(ending: AbortController, running: Promise<void>): Promise<void> {
  ending.abort(new Error("over"));
  await running;
}
