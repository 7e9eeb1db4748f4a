// `nanobot cluster worker`: a worker of this machine, with its way in.
import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { Entrance } from "../../cluster/entrance.ts";
import { ClusterWorker } from "../../cluster/worker.ts";
import { systemClock } from "../../lib/clock.ts";
import { createLog } from "../../lib/log.ts";
import { createRedactor } from "../../lib/redact.ts";
import { Metrics } from "../../server/telemetry/metrics.ts";
import type { ClusterStore } from "../../storage/cluster/cluster-store.ts";
import { holdHome } from "../../storage/home-lock.ts";
import type { ClusterOptions } from "../command-line/options.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { CommandContext } from "../terminal/terminal.ts";

export interface Cluster {
  store: ClusterStore;
  secret: string;
  /** Another key, while one replaces the other. */
  also?: string;
}

export const usualLeaseMs = 5_000;
const usualCapacity = 50;
/** In seconds. */
const usualSleepAfter = 600;

export async function runWorker(
  options: ClusterOptions,
  { store, secret, also }: Cluster,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { env, words, stderr } = terminal;
  const token = env.NANOBOT_CLUSTER_METRICS_TOKEN;
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const root = resolve(options.folder ?? join(env.HOME || homedir(), ".nanobot-cluster", name));
  const redactor = createRedactor();
  for (const key of [secret, also ?? ""]) redactor.add(key);
  const log = createLog({ path: join(root, "worker.log"), clock: systemClock, redactor });
  const { leaseMs = usualLeaseMs, sleepAfter = usualSleepAfter } = options;
  const publicUrl = options.paths?.replace(/\/+$/, "");
  if (publicUrl !== undefined && !(URL.canParse(publicUrl) && /^https?:/.test(publicUrl)))
    throw new CommandFailure(words.gateway.address.notPublic(publicUrl), 2);
  // Two workers with one folder would remove each other's homes; the name does not matter.
  const leave = await holdHome({ home: root, clock: systemClock, name: "worker-lock", patienceMs: 0 }, name);
  const entrance = new Entrance({
    ...{ store, secret, clock: systemClock, log, patienceMs: leaseMs + 2_000 },
    gatewayOf: (id) => worker.gatewayOf(id),
    ...(publicUrl && { publicUrl }),
    onWait: (id) => worker.hurry(id),
    ...(token !== undefined && {
      metrics: { token, read: () => new Metrics().toPrometheus(worker.readGauges()) },
    }),
    isReady: () => worker.isReady,
  });
  const port = await entrance.listen(options.port ?? 0, options.listen ?? "127.0.0.1");
  const worker: ClusterWorker = new ClusterWorker({
    ...{ store, secret, name, words, log, leaseMs, clock: systemClock },
    ...(also !== undefined && { also }),
    ...(publicUrl && { publicUrl }),
    address: options.address ?? `http://127.0.0.1:${port}`,
    folder: join(root, "homes"),
    capacity: options.capacity ?? usualCapacity,
    ...(sleepAfter > 0 && { sleepAfterMs: 1_000 * sleepAfter }),
    // The keys of the cluster and of the machine stay here.
    env: { PATH: env.PATH, LANG: env.LANG, TZ: env.TZ },
  });
  stderr.write(`${words.cluster.works(name, port)}\n`);
  try {
    await worker.run(signal);
  } finally {
    await entrance.close();
    leave();
  }
  return 0;
}
