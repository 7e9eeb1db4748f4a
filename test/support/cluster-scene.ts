// A home of a cluster that is pulled from under its workers again and again while it answers: workers as processes with disks
// and connections of their own, a fake Telegram, and the tally of what was lost or done twice. Needs no test runner.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ClusterStore } from "../../src/storage/cluster/cluster-store.ts";
import { AskedTasks, type Fault, type TaskTally } from "./asked-tasks.ts";
import { ChatScene, createRandom, until } from "./chat-scene.ts";
import { findFreePort } from "./free-port.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { type Relay, startRelay } from "./relay.ts";
import { doTasks } from "./task-model.ts";

export interface ClusterTally extends TaskTally {
  faults: Record<string, number>;
  /** Sessions whose next message got no answer. */
  bricked: number;
  /** Changes of the holder. */
  terms: number;
  slowestTakeoverMs: number;
}

export interface ClusterSceneOptions {
  faults: number;
  workers: number;
  seed: number;
  /** The program and its first arguments. */
  program: string[];
  leaseMs?: number;
  patienceMs?: number;
}

/** What goes wrong. `hold` freezes the holder for less than its lease, `freeze` for longer. */
const faultKinds = [
  "kill",
  "freeze",
  "hold",
  "cut",
  "silence",
  "drain",
  "restart",
  "crash",
  "pause",
  "all",
] as const;
type FaultKind = (typeof faultKinds)[number];

const home = "ann";
const longestLifeMs = 600;

export async function runClusterFaults(options: ClusterSceneOptions): Promise<ClusterTally> {
  const { faults, seed, patienceMs = 120_000 } = options;
  const random = createRandom(seed);
  await using scene = await ClusterScene.open(options);
  // Each kind as often as the others, in an order of chance.
  const order = Array.from({ length: faults }, (_, index) => faultKinds[index % faultKinds.length] ?? "kill");
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as FaultKind, order[at] as FaultKind];
  }
  for (const kind of order) {
    await scene.untilServed(patienceMs);
    await scene.live(random);
    await scene.strike(kind, random);
  }
  await scene.untilServed(patienceMs);
  return await scene.finish(patienceMs);
}

class Worker {
  readonly name: string;
  readonly relay: Relay;
  readonly #spawn: () => ChildProcess;
  #child: ChildProcess;

  constructor(name: string, relay: Relay, spawnWorker: () => ChildProcess) {
    this.name = name;
    this.relay = relay;
    this.#spawn = spawnWorker;
    this.#child = spawnWorker();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    await ended;
  }

  start(): void {
    if (this.hasEnded) this.#child = this.#spawn();
  }
}

class ClusterScene implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #leaseMs: number;
  readonly #tasks: AskedTasks;
  readonly #cuts: Fault[] = [];
  readonly #counts: Record<string, number> = {};
  #slowest = 0;
  #lastChat = 0;

  private constructor(parts: Parts, leaseMs: number) {
    this.#parts = parts;
    this.#leaseMs = leaseMs;
    this.#tasks = new AskedTasks(parts.chats);
  }

  static async open(options: ClusterSceneOptions): Promise<ClusterScene> {
    const { program, faults, workers: count, leaseMs = 3_000 } = options;
    const folder = await mkdtemp(join(tmpdir(), "nanobot-cluster-"));
    const effects = join(folder, "effects.txt");
    const chats = await ChatScene.open({
      ...{ program, chats: faults + 1, channels: { collectMs: 30 } },
      config: {
        agents: { defaults: { model: "mine/m", maxConcurrentTurns: 4 } },
        memory: { autoRecall: false },
      },
      telegram: { reactEmoji: "", streamEditInterval: 0.1 },
      reply: (messages, { hasTools }) => doTasks(messages, { hasTools, effects }),
    });
    const port = await findFreePort();
    const postgres = await startPostgres({ port });
    const url = await postgres.createDatabase();
    const key = { NANOBOT_CLUSTER_KEY: "a key", PATH: process.env.PATH, HOME: folder };
    const [file = "", ...args] = [...program, "cluster"];
    for (const argv of [
      ["init"],
      ["homes", "import", home, chats.home],
      ["homes", "allow", home, "commands,network"],
    ]) {
      const child = spawn(file, [...args, ...argv], {
        env: { ...key, NANOBOT_CLUSTER_URL: url },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`cluster ${argv.join(" ")} ended with ${code}`);
    }
    const workers: Worker[] = [];
    for (let index = 0; index < count; index++) {
      const [relay, name] = [await startRelay(port), `w${index}`];
      const env = { ...key, NANOBOT_CLUSTER_URL: url.replace(`:${port}/`, `:${relay.port}/`) };
      const options = ["--name", name, "--folder", join(folder, name), "--lease-ms", String(leaseMs)];
      workers.push(
        new Worker(name, relay, () =>
          spawn(file, [...args, "worker", ...options], { env, stdio: ["ignore", "ignore", "inherit"] }),
        ),
      );
    }
    const store = new ClusterStore(url);
    return new ClusterScene({ folder, effects, chats, postgres, workers, store }, leaseMs);
  }

  /** A worker holds the home: it has stored a message, or else the platform would not be told so. */
  async untilServed(patienceMs: number): Promise<void> {
    const { acknowledged } = this.#parts.chats.telegram;
    const before = acknowledged.size;
    const start = performance.now();
    // One whose database was away when it started has ended; what looks after processes starts it again.
    for (const worker of this.#parts.workers) worker.start();
    this.#tasks.say(this.#lastChat, 1, () => 0);
    await until(() => acknowledged.size > before, patienceMs);
    this.#slowest = Math.max(this.#slowest, performance.now() - start);
    if (acknowledged.size === before) throw new Error("nobody serves the home");
  }

  async live(random: () => number): Promise<void> {
    if (random() < 0.75) this.#lastChat += 1;
    const upTo = (most: number) => Math.floor(random() * most);
    const end = upTo(longestLifeMs);
    const pause = upTo(end);
    this.#tasks.say(this.#lastChat, 1 + upTo(3), upTo);
    await sleep(pause);
    this.#tasks.say(this.#lastChat, upTo(3), upTo);
    await sleep(end - pause);
  }

  async strike(kind: FaultKind, random: () => number): Promise<void> {
    const { workers, postgres } = this.#parts;
    const holder = await this.#findHolder();
    const cut = { from: performance.now(), to: performance.now() };
    this.#cuts.push(cut);
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    const lease = this.#leaseMs;
    switch (kind) {
      case "kill":
        await holder.end("SIGKILL");
        holder.start();
        break;
      case "all":
        await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
        for (const worker of workers) worker.start();
        break;
      case "drain":
        await holder.end("SIGTERM");
        holder.start();
        break;
      case "freeze":
      case "hold":
        holder.signal("SIGSTOP");
        await sleep(kind === "hold" ? 0.7 * lease * random() : lease * (1.2 + 0.5 * random()));
        holder.signal("SIGCONT");
        break;
      case "cut":
      case "silence":
        if (kind === "cut") holder.relay.disconnect();
        else holder.relay.fallSilent();
        await sleep(1.6 * lease * random());
        holder.relay.reconnect();
        break;
      default:
        await postgres.stop(kind === "crash" ? "at once" : undefined);
        if (kind === "pause") await sleep(1.8 * lease * random());
        await postgres.start();
    }
    cut.to = performance.now();
  }

  async finish(patienceMs: number): Promise<ClusterTally> {
    await this.#tasks.settle(patienceMs);
    const { effects, store } = this.#parts;
    const lines = await readFile(effects, "utf8").catch(() => "");
    const tally = this.#tasks.tally(
      lines.split("\n").filter((line) => line !== ""),
      this.#cuts,
    );
    const bricked = await this.#tasks.countBricked(patienceMs);
    const terms = Number((await store.listHomes())[0]?.term);
    return { ...tally, bricked, terms, faults: this.#counts, slowestTakeoverMs: Math.round(this.#slowest) };
  }

  async #findHolder(): Promise<Worker> {
    const { store, workers } = this.#parts;
    const name = (await store.listHomes())[0]?.holder;
    return workers.find((worker) => worker.name === name) ?? (workers[0] as Worker);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { workers, store, postgres, chats, folder } = this.#parts;
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    await Promise.all(workers.map(({ relay }) => relay.close()));
    await store.close();
    await postgres.remove();
    await chats[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Parts {
  folder: string;
  effects: string;
  chats: ChatScene;
  postgres: Postgres;
  workers: Worker[];
  store: ClusterStore;
}
