// `nanobot cluster doctor`: what an operator should change, from what the database says of itself, of its workers and homes.
// Reads only; knows nothing of what is in a home.
import { systemClock } from "../../lib/clock.ts";
import { type ClusterStore, mostTakes } from "../../storage/cluster/cluster-store.ts";
import { mostConnections } from "../../storage/cluster/database-hosts.ts";
import { schemaVersion } from "../../storage/cluster/schema.ts";
import type { Report } from "../terminal/report.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Codes for programs; the sentence is for people. */
interface Finding {
  state: "ok" | "warning" | "bad";
  check: keyof Terminal["words"]["cluster"]["doctor"];
  text: string;
}

/** Clocks count by how long they run, not by what they say; a large difference is a mistake all the same. */
const largestDriftMs = 30_000;
const nearlyFull = 0.8;
const megabyte = 1024 * 1024;

export async function examineCluster(
  store: ClusterStore,
  leaseMs: number,
  { cluster, care }: Terminal["words"],
): Promise<Report> {
  const findings = await findAll(store, leaseMs, cluster.doctor);
  const isBad = findings.some(({ state }) => state === "bad");
  const lines = findings.map(({ state, text }) => `${care.states[state]} ${text}`);
  return { json: { findings }, text: lines.join("\n"), code: isBad ? 1 : 0 };
}

async function findAll(
  store: ClusterStore,
  leaseMs: number,
  words: Terminal["words"]["cluster"]["doctor"],
): Promise<Finding[]> {
  const sentAt = systemClock.now();
  const facts = await store.inspect();
  const [homes, workers] = await Promise.all([store.listHomes(), store.listWorkers(leaseMs)]);
  const found: Finding[] = [];
  const note = (state: Finding["state"], check: Finding["check"], text: string) =>
    found.push({ state, check, text });
  const drift = Math.abs(facts.now - (sentAt + systemClock.now()) / 2);
  note("ok", "database", words.database(facts.version));
  note("ok", "tables", words.tables(schemaVersion));
  note("ok", "size", words.size(Math.round(facts.bytes / megabyte)));
  if (!facts.isSynced) note("bad", "fsync", words.fsync);
  if (!facts.isCommitted) note("bad", "commits", words.commits);
  if (facts.standbys === 0) note("warning", "noStandby", words.noStandby);
  else note("ok", "standby", words.standby(facts.standbys));
  if (!facts.isPrivate) note("bad", "plain", words.plain);
  if (drift > largestDriftMs) note("warning", "clock", words.clock(Math.round(drift / 1000)));
  const alive = workers.filter(({ isAlive }) => isAlive);
  const connections = (alive.length + 1) * mostConnections;
  if (connections > facts.mostConnections)
    note("bad", "connections", words.connections(connections, facts.mostConnections));
  const waiting = homes.filter(
    ({ isHeld, isSuspended, isAsleep, takes }) => !(isHeld || isSuspended || isAsleep || takes >= mostTakes),
  );
  // A worker reports the number of its homes now and then; who holds a home is always known.
  const held = homes.filter(({ isHeld }) => isHeld).length;
  const room = alive.reduce((sum, { capacity }) => sum + capacity, 0) - held;
  if (alive.length === 0) note("bad", "noWorker", words.noWorker);
  else if (room < waiting.length) note("bad", "full", words.full(waiting.length));
  else note("ok", "room", words.room(room - waiting.length, homes.length));
  for (const { id, isHeld, takes, bytes, quota } of homes) {
    if (!isHeld && takes >= mostTakes) note("bad", "stuck", words.stuck(id));
    if (quota !== null && bytes > nearlyFull * quota)
      note("warning", "nearQuota", words.nearQuota(id, Math.round((100 * bytes) / quota)));
  }
  return found;
}
