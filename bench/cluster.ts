// Cluster: turns of one home on PostgreSQL against the same on the local disk, bytes stored a turn, and how long a takeover takes.
// Starts a PostgreSQL of its own. Turns alternate between the two in rounds.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildGateway, type Gateway } from "../src/app/build-gateway.ts";
import { ClusterWorker } from "../src/cluster/worker.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { createScripted } from "../src/llm/scripted.ts";
import { ClusterStore } from "../src/storage/cluster/cluster-store.ts";
import { resolveHome } from "../src/storage/home.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { median, printFigure } from "./report.ts";

const [secret, leaseMs, id] = ["the key of a benchmark", 5_000, "one"];
const words = createWords("english");

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { turns: { type: "string", default: "200" } } });
  const turns = Number(values.turns);
  const folder = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const store = new ClusterStore(url);
  try {
    await store.prepare("bench");
    await store.addHome(id);
    const local = await startLocal(join(folder, "local"));
    const first = await startWorker(url, join(folder, "a"), "a");
    const rounds = { local: [] as number[], cluster: [] as number[] };
    const bytesBefore = (await store.listHomes())[0]?.bytes ?? 0;
    for (let round = 0; round < 10; round++) {
      rounds.local.push(await talk(local.gateway, turns / 10));
      rounds.cluster.push(await talk(first.gateway, turns / 10));
    }
    const base = median(rounds.local);
    printFigure({ name: "turn-on-disk", value: base, unit: "ms" });
    printFigure({ name: "turn-on-postgres", value: median(rounds.cluster), unit: "ms", baseline: base });
    const bytesAfter = (await store.listHomes())[0]?.bytes ?? 0;
    printFigure({ name: "kept-a-turn", value: (bytesAfter - bytesBefore) / turns / 1024, unit: "kB" });
    // Given back: without a lease that has to end.
    const start = performance.now();
    await first.stop();
    const stopped = performance.now();
    const second = await startWorker(url, join(folder, "b"), "b");
    await talk(second.gateway, 1);
    printFigure({ name: "hand-back", value: stopped - start, unit: "ms" });
    printFigure({ name: "restore-and-first-turn", value: performance.now() - stopped, unit: "ms" });
    await second.stop();
    await local.stop();
  } finally {
    await store.close();
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
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

async function startLocal(home: string) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    NANOBOT_HOME: home,
    NANOBOT_MEMORY__AUTO_RECALL: "false",
  };
  const ending = new AbortController();
  const built = await buildGateway({
    ...{
      paths: resolveHome({ env }),
      env,
      words,
      port: 0,
      provider: provider(),
      page: () => "",
      onStop() {},
    },
  });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const running = built.gateway.run(ending.signal);
  return { gateway: built.gateway, stop: () => end(ending, running) };
}

async function startWorker(url: string, folder: string, name: string) {
  const store = new ClusterStore(url);
  const ending = new AbortController();
  const worker = new ClusterWorker({
    ...{ store, secret, name, address: "", folder, capacity: 1, leaseMs, words },
    ...{ clock: systemClock, log: silentLog, provider: provider() },
    env: { PATH: process.env.PATH, NANOBOT_MEMORY__AUTO_RECALL: "false" },
  });
  const running = worker.run(ending.signal);
  while (worker.gatewayOf(id) === undefined) await systemClock.sleep(2);
  const gateway = worker.gatewayOf(id) as Gateway;
  return { gateway, stop: () => end(ending, running).then(() => store.close()) };
}

async function end(ending: AbortController, running: Promise<void>): Promise<void> {
  ending.abort(new Error("over"));
  await running;
}
