// A worker of a cluster: takes homes that nobody holds, runs a gateway for each on this disk, keeps their leases, and gives
// them back when it ends. What a home is made of is the gateway's; what is stored is the engine's.
import { join } from "node:path";
import { type HomeCard, type Homes, toHomePath, toMountPath } from "../api/homes/homes.ts";
import type { Gateway } from "../app/build-gateway.ts";
import { fail, PhrasedError } from "../i18n/user-error.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { isAllowed, policyVariable } from "../lib/process/operator-policy.ts";
import type { Provider } from "../llm/types.ts";
import type { Gauge } from "../server/telemetry/metrics.ts";
import type { Held } from "../storage/cluster/cluster-rows.ts";
import type { ClusterStore } from "../storage/cluster/cluster-store.ts";
import { type Lease, PostgresDurability } from "../storage/cluster/postgres-durability.ts";
import { dropHome, restoreHome } from "../storage/cluster/restore-home.ts";
import { Seal } from "../storage/cluster/seal.ts";
import { DurabilityError } from "../storage/durability.ts";
import { resolveHome } from "../storage/home.ts";
import { serveHome } from "../storage/served-homes.ts";
import { type Build, HomeNotBuilt, HomeSupervisor } from "./supervisor.ts";

export interface WorkerOptions {
  store: ClusterStore;
  /** The key of the cluster. */
  secret: string;
  /** Another key, which homes may be sealed by. */
  also?: string;
  name: string;
  address: string;
  /** Homes are in it while they are held. */
  folder: string;
  /** Most homes at once. */
  capacity: number;
  leaseMs: number;
  /** Of the homes: no variable of the worker reaches them that is not in it. */
  env: NodeJS.ProcessEnv;
  words: Words;
  clock: Clock;
  log: Log;
  /** A home that was quiet for so long sleeps until something is due or someone asks; absent: none does. */
  sleepAfterMs?: number;
  /** All homes are one owner's, and found below this address, each at a path of its own. */
  publicUrl?: string;
  /** Instead of the models of the homes. */
  provider?: Provider;
}

interface ServedHome {
  held: Held;
  /** When the call was sent that last renewed the lease. */
  renewedAt: Lease;
  engine?: PostgresDurability;
  ending: AbortController;
  ended: Promise<void>;
  /** By the monotonic clock. */
  since: number;
  /** Since when nothing happened, and the mark of what happened last. */
  quiet?: { since: number; activity: number };
  /** It ends to sleep until then. */
  wakeAt?: number;
}

/** A home that has run so long kills no worker. */
const settledMs = 60_000;
/** For another worker to take a home that could not be served here. */
const restLeases = 3;
/** However many ask for a home that nobody may take. */
const leastPauseMs = 250;

export class ClusterWorker {
  readonly #options: WorkerOptions;
  readonly #homes = new Map<string, ServedHome>();
  /** Could not be served here, such as for want of space on the disk: left to others until then. */
  readonly #resting = new Map<string, number>();
  /** Ended because of the database, not of the home: given back when it answers. */
  #interrupted: Held[] = [];
  #isReady = false;
  readonly #supervisor = new HomeSupervisor();
  readonly #siblings: Homes = {
    list: () => this.#listSiblings(),
    add: () => Promise.reject(fail("homes.in-cluster")),
    remove: () => Promise.reject(fail("homes.in-cluster")),
  };
  #lookedAt = 0;
  #takes = 0;
  #losses = 0;
  #nudge = new AbortController();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Whether the database answered when it was last asked. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** What an operator wants to see of it. */
  readGauges(): Gauge[] {
    const { clock } = this.#options;
    const served = [...this.#homes.values()];
    const ages = served.map(({ renewedAt }) => clock.elapsed() - renewedAt.elapsed);
    const turns = served.reduce(
      (sum, { held }) => sum + (this.#supervisor.gatewayOf(held.id)?.app.loop.activeTurns ?? 0),
      0,
    );
    return [
      { name: "nanobot_homes", help: "Homes that this worker serves", value: served.length },
      { name: "nanobot_active_turns", help: "Turns that run now", value: turns },
      { name: "nanobot_database_up", help: "Whether the database answers", value: this.#isReady ? 1 : 0 },
      {
        ...{ name: "nanobot_lease_age_seconds", help: "Since the lease of a home was renewed, at most" },
        value: Math.max(0, ...ages) / 1000,
      },
      { name: "nanobot_takes_total", help: "Homes that were taken", value: this.#takes, isCounter: true },
      {
        ...{ name: "nanobot_homes_lost_total", help: "Homes that ended without being given back" },
        ...{ value: this.#losses, isCounter: true },
      },
    ];
  }

  /** The gateway of a home that this worker serves now. */
  gatewayOf(id: string): Gateway | undefined {
    return this.#supervisor.gatewayOf(id);
  }

  /** Someone asks for it: it begins before others that wait. One that nobody holds is looked for at once. */
  hurry(id: string): void {
    this.#supervisor.hurry(id);
    const isDue = this.#options.clock.elapsed() - this.#lookedAt > leastPauseMs;
    if (!this.#homes.has(id) && isDue) this.#nudge.abort();
  }

  /** Until the signal aborts; then every home is ended, stored and given back. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock, log, leaseMs, name } = this.#options;
    while (!signal.aborted) {
      this.#isReady = await this.#beat().then(
        () => true,
        (error: unknown) => {
          log.warn("cluster-unavailable", { error });
          return false;
        },
      );
      await clock.sleep(leaseMs / 5, AbortSignal.any([signal, this.#nudge.signal])).catch(() => {});
      this.#nudge = new AbortController();
    }
    const keeping = this.#keepLeases();
    for (const { ending } of this.#homes.values()) ending.abort(new Error("the worker ends"));
    await Promise.all([...this.#homes.values()].map(({ ended }) => ended));
    await keeping.stop();
    await store.removeWorker(name).catch((error: unknown) => log.warn("cluster-unavailable", { error }));
  }

  async #beat(): Promise<void> {
    const { store, name, address, capacity, leaseMs, clock } = this.#options;
    this.#lookedAt = clock.elapsed();
    await this.#renew();
    for (const held of this.#interrupted.splice(0)) await this.#giveBack(held);
    await store.reportWorker({ name, address, homes: this.#homes.size, capacity });
    await this.#putToSleep();
    const room = capacity - this.#homes.size;
    if (room <= 0) return;
    const sentAt = this.#now();
    // One that was lost and still ends here would share its folder with its next life.
    for (const [id, until] of this.#resting) if (clock.elapsed() > until) this.#resting.delete(id);
    const except = [...this.#homes.keys(), ...this.#resting.keys()];
    for (const held of await store.take({ name, address, except }, room, leaseMs)) this.#begin(held, sentAt);
  }

  /** What happens after the decision keeps a home awake: see `#serve`. */
  async #putToSleep(): Promise<void> {
    const { clock, sleepAfterMs } = this.#options;
    if (sleepAfterMs === undefined) return;
    for (const home of this.#homes.values()) {
      const { held, ending } = home;
      const gateway = this.#supervisor.gatewayOf(held.id);
      if (gateway === undefined) continue;
      const { isQuiet, activity } = gateway.look();
      if (!isQuiet || home.quiet?.activity !== activity) home.quiet = { since: clock.elapsed(), activity };
      if (clock.elapsed() - home.quiet.since < sleepAfterMs) continue;
      const dueAt = await gateway.findDue();
      if (dueAt - clock.now() < sleepAfterMs) continue;
      home.wakeAt = dueAt;
      ending.abort(new Error("nothing happens"));
    }
  }

  async #giveBack(held: Held): Promise<void> {
    await this.#options.store.release(held).catch((error: unknown) => {
      this.#interrupted.push(held);
      throw error;
    });
  }

  /** While homes end, which may take longer than a lease. */
  #keepLeases(): { stop(): Promise<void> } {
    const { clock, leaseMs, log } = this.#options;
    const over = new AbortController();
    const running = (async () => {
      while (!over.signal.aborted) {
        await this.#renew().catch((error: unknown) => log.warn("cluster-unavailable", { error }));
        await clock.sleep(leaseMs / 5, over.signal).catch(() => {});
      }
    })();
    return {
      async stop() {
        over.abort(new Error("all have ended"));
        await running;
      },
    };
  }

  async #renew(): Promise<void> {
    const { store, leaseMs, clock } = this.#options;
    const served = [...this.#homes.values()];
    if (served.length === 0) return;
    const sentAt = this.#now();
    const kept = await store.renew(
      served.map(({ held, engine, since }) => ({
        ...(engine?.held ?? held),
        isSettled: clock.elapsed() - since > settledMs,
      })),
      leaseMs,
    );
    for (const home of served) {
      const row = kept.get(home.held.id);
      // One that is not among them learns from its next commit whether another worker has it.
      if (row === undefined) continue;
      if (row.hasToGo) home.ending.abort(new Error("it has to be given back"));
      home.renewedAt = sentAt;
      home.engine?.renewed(sentAt);
    }
  }

  #begin(held: Held, renewedAt: Lease): void {
    const { log, clock, leaseMs } = this.#options;
    this.#takes += 1;
    const home: ServedHome = {
      ...{ held, renewedAt, ending: new AbortController(), ended: Promise.resolve(), since: clock.elapsed() },
    };
    this.#homes.set(held.id, home);
    home.ended = this.#serve(home)
      .catch((error: unknown) => {
        log.error("home-ended", { home: held.id, error });
        this.#losses += 1;
        if (isOfDatabase(error)) this.#interrupted.push(home.engine?.held ?? held);
        if (!(error instanceof DurabilityError))
          this.#resting.set(held.id, clock.elapsed() + restLeases * leaseMs);
      })
      .finally(() => this.#homes.delete(held.id));
  }

  async #serve(home: ServedHome): Promise<void> {
    const { signal } = home.ending;
    await this.#supervisor.serve(home.held.id, signal, async (build) => {
      if (signal.aborted) await this.#options.store.release(home.held);
      else await this.#serveNow(home, build);
    });
  }

  async #serveNow(home: ServedHome, build: Build): Promise<void> {
    const { store, secret, also, clock, leaseMs, folder } = this.#options;
    const { id } = home.held;
    const path = join(folder, id);
    const seal = new Seal(id, secret, also);
    const { tree, lastChange } = await restoreHome({ id, home: path, store, seal });
    const engine = await PostgresDurability.open({
      ...{ home: path, held: home.held, store, seal, tree, clock, leaseMs },
      takenAt: home.renewedAt,
      lastChange,
    });
    home.engine = engine;
    const leave = serveHome(path, engine);
    try {
      const gateway = await this.#build(home, path, build);
      await gateway.run(home.ending.signal);
      await engine.settle();
      const isAsleep = home.wakeAt !== undefined && gateway.look().activity === home.quiet?.activity;
      await store.release(engine.held, isAsleep ? home.wakeAt : null);
    } finally {
      leave();
      // Committed changes are in the database; the rest never happened.
      dropHome(path);
    }
  }

  async #build(home: ServedHome, path: string, build: Build): Promise<Gateway> {
    const { env, words, provider, clock, store, folder, publicUrl } = this.#options;
    const { id, allowed } = home.held;
    const host = await store.hostOf(id);
    const shown = host === undefined ? {} : { NANOBOT_GATEWAY__PUBLIC_URL: `https://${host}` };
    const own = { ...env, ...shown, HOME: path, NANOBOT_HOME: path, [policyVariable]: allowed };
    // A folder that is never there: no code of the home is found.
    const none = join(folder, ".no-code");
    const paths = resolveHome({ env: own });
    const kept = isAllowed(own, "code") ? paths : { ...paths, tools: none, channels: none };
    const end = () => home.ending.abort(new Error("asked to end"));
    return build({
      ...{ paths: kept, env: own, words, clock, homes: this.#siblings, onStop: end, onRestart: end },
      ...(provider && { provider }),
      mount: {
        ...{ name: id, host: "127.0.0.1" },
        ...(publicUrl !== undefined && { path: toMountPath(id), mountUrl: publicUrl + toMountPath(id) }),
      },
    });
  }

  /** Only where they are one owner's: other people do not learn of one another. */
  async #listSiblings(): Promise<HomeCard[]> {
    if (this.#options.publicUrl === undefined) return [];
    const homes = await this.#options.store.listHomes();
    return homes.map(({ id, isHeld }) => ({
      name: id,
      path: toHomePath(id),
      isRunning: isHeld,
      problems: [],
    }));
  }

  #now(): Lease {
    const { clock } = this.#options;
    return { elapsed: clock.elapsed(), now: clock.now() };
  }
}

/** Not of the home: what PostgreSQL or the connection to it said. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof DurabilityError) return error.fault !== "quota";
  return !(error instanceof PhrasedError) && error instanceof Error && !(error instanceof HomeNotBuilt);
}
