// `nanobot cluster`: homes on PostgreSQL. Prepares the database and looks after the homes.

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { fail, PhrasedError } from "../../i18n/user-error.ts";
import { systemClock } from "../../lib/clock.ts";
import { freedoms } from "../../lib/process/operator-policy.ts";
import type { HomeRow } from "../../storage/cluster/cluster-rows.ts";
import { ClusterStore, mostTakes } from "../../storage/cluster/cluster-store.ts";
import { exportHome, importHome, resealHome } from "../../storage/cluster/move-home.ts";
import type { ClusterOptions } from "../command-line/options.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printReport, type Report } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";
import { examineCluster } from "./cluster-doctor.ts";
import { type Cluster, runWorker, usualLeaseMs } from "./cluster-worker.ts";

/** For a home to be given back and taken, also while it finishes an answer. */
const moveMs = 60_000;
const hostPattern = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const namePattern = /^[a-z][a-z0-9-]{0,62}$/;

export async function runCluster(options: ClusterOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const {
    NANOBOT_CLUSTER_URL: url,
    NANOBOT_CLUSTER_KEY: secret,
    NANOBOT_CLUSTER_KEY_ALSO: also,
  } = terminal.env;
  if (!url) throw fail("cluster.no-url");
  if (!secret) throw fail("cluster.no-key");
  const store = new ClusterStore(url);
  try {
    const cluster = { store, secret, ...(also && { also }) };
    if (options.action === "init") await store.prepare(toMark(secret));
    else await store.verify(...[secret, also ?? ""].map(toMark));
    if (options.action === "worker") return await runWorker(options, cluster, context);
    return await printReport(await report(options, cluster, terminal), options, terminal);
  } catch (error) {
    if (error instanceof PhrasedError || error instanceof CommandFailure) throw error;
    // What the driver says never holds the password.
    throw fail("cluster.unreachable", { quote: error instanceof Error ? error.message : String(error) });
  } finally {
    await store.close();
  }
}

async function report(options: ClusterOptions, cluster: Cluster, { words }: Terminal): Promise<Report> {
  if (options.action === "init") return { json: { isPrepared: true }, text: words.cluster.prepared };
  if (options.action === "homes") return changeHomes(options.words ?? [], cluster, words);
  if (options.action === "rotate-key") return rotateKey(cluster, words);
  if (options.action === "doctor") return examineCluster(cluster.store, usualLeaseMs, words);
  return showStatus(cluster, words);
}

async function showStatus({ store }: Cluster, { cluster }: Terminal["words"]): Promise<Report> {
  const [homes, workers] = await Promise.all([store.listHomes(), store.listWorkers(usualLeaseMs)]);
  const lines = [
    ...workers.map(({ name, homes: count, capacity, isAlive }) =>
      [cluster.worker(name, count, capacity), ...(isAlive ? [] : [cluster.unseen])].join(", "),
    ),
    ...homes.map((home) => cluster.home(home.id, describeHolder(home, cluster), home.bytes, home.quota)),
  ];
  return { json: { workers, homes }, text: lines.join("\n") || cluster.empty };
}

function describeHolder(home: HomeRow, words: Terminal["words"]["cluster"]): string {
  const { free, suspended, failed, asleep } = words;
  if (home.isHeld) return home.holder ?? "";
  if (home.isSuspended) return suspended;
  if (home.isAsleep) return asleep;
  return home.takes >= mostTakes ? failed(home.id) : free;
}

async function changeHomes(
  [action = "list", id = "", folder]: string[],
  { store, secret, also }: Cluster,
  words: Terminal["words"],
): Promise<Report> {
  const { cluster } = words;
  if (action === "list") return showStatus({ store, secret }, words);
  if (!namePattern.test(id)) throw fail("cluster.bad-name");
  const done = (sentence: string): Report => ({ json: { home: id, action }, text: sentence });
  const found = (isFound: boolean) => {
    if (!isFound) throw fail("cluster.no-home", { home: id });
  };
  switch (action) {
    case "add":
      if (!(await store.addHome(id))) throw fail("cluster.home-exists", { home: id });
      return done(cluster.added(id));
    case "host": {
      const host = (folder ?? "").toLowerCase();
      if (!hostPattern.test(host)) throw fail("cluster.bad-host");
      found((await store.listHomes()).some((home) => home.id === id));
      if (!(await store.setHost(id, host))) throw fail("cluster.host-taken", { host });
      return done(cluster.hosted(id, host));
    }
    case "import":
    case "export": {
      if (folder === undefined) throw new CommandFailure(cluster.needsFolder, 2);
      const moved = { id, home: resolve(folder), store, secret, clock: systemClock, ...(also && { also }) };
      if (action === "import") {
        await store.addHome(id);
        await importHome(moved);
      } else await exportHome(moved);
      return done(cluster.moved(id));
    }
    case "allow": {
      const allowed = (folder ?? "").split(",").filter((each) => each !== "" && each !== "nothing");
      if (!allowed.every((each) => (freedoms as readonly string[]).includes(each)))
        throw new CommandFailure(cluster.freedoms, 2);
      found(await store.allow(id, allowed.join(",")));
      return done(cluster.allowed(id, allowed.join(", ")));
    }
    case "quota": {
      const megabytes = Number(folder);
      if (!(megabytes >= 0)) throw new CommandFailure(cluster.needsQuota, 2);
      found(await store.setQuota(id, megabytes === 0 ? null : Math.round(megabytes * 1024 * 1024)));
      return done(cluster.limited(id, megabytes));
    }
    case "move": {
      const target = (await store.listWorkers(usualLeaseMs)).find(({ name }) => name === folder);
      if (target?.isAlive !== true) throw fail("cluster.no-worker", { worker: folder ?? "" });
      found(await store.move(id, target.name, moveMs));
      return done(cluster.handed(id, target.name));
    }
    case "suspend":
    case "resume":
      found(await store.suspend(id, action === "suspend"));
      return done(action === "suspend" ? cluster.suspends(id) : cluster.resumes(id));
    case "remove":
      if (await store.removeHome(id)) return done(cluster.removed(id));
      found((await store.listHomes()).some((home) => home.id === id));
      throw fail("cluster.home-held", { home: id });
    default:
      throw new CommandFailure(cluster.actions, 2);
  }
}

/** What the database knows of a key. */
function toMark(secret: string): string {
  return createHash("sha256").update(`nanobot cluster\n${secret}`).digest("hex");
}

/** Every home stops for a moment, and is stored again with the first key. May be repeated until it has been through. */
async function rotateKey({ store, secret, also }: Cluster, { cluster }: Terminal["words"]): Promise<Report> {
  if (also === undefined) throw fail("cluster.no-other-key");
  await store.setKey(toMark(secret));
  const homes = await store.listHomes();
  for (const { id, isSuspended } of homes) {
    await store.suspend(id, true);
    try {
      await untilFree(store, id);
      await resealHome({ id, store, secret, also, clock: systemClock });
    } finally {
      await store.suspend(id, isSuspended);
    }
  }
  return { json: { homes: homes.length }, text: cluster.rotated(homes.length) };
}

async function untilFree(store: ClusterStore, id: string): Promise<void> {
  for (const end = systemClock.elapsed() + moveMs; ; await systemClock.sleep(200)) {
    const home = (await store.listHomes()).find((each) => each.id === id);
    if (home?.isHeld !== true) return;
    if (systemClock.elapsed() > end) throw fail("cluster.home-held", { home: id });
  }
}
