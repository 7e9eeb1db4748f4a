// Ends a program that was started as the leader of its own group, with everything that it started.
import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "./clock.ts";

const graceMs = 1000;

/** Asks first, then insists. Resolves when nothing of the tree is left to signal. */
export async function endProcessTree(leader: number): Promise<void> {
  // Taken before anything dies: an orphan can no longer be told to be one of ours.
  const family = [leader, ...findDescendants(leader)];
  signalAll(leader, family, "SIGTERM");
  const deadline = systemClock.elapsed() + graceMs;
  while (systemClock.elapsed() < deadline) {
    if (!isAnyAlive(leader, family)) return;
    await systemClock.sleep(20);
  }
  signalAll(leader, [...family, ...findDescendants(leader)], "SIGKILL");
}

const leaders = new Set<number>();

/** The tree dies with this process, as far as it ends in order. Returns the way to call that off. */
export function endWithProcess(leader: number): () => void {
  if (leaders.size === 0) process.on("exit", killLeaders);
  leaders.add(leader);
  return () => {
    leaders.delete(leader);
    if (leaders.size === 0) process.off("exit", killLeaders);
  };
}

function killLeaders(): void {
  for (const leader of leaders) signalAll(leader, findDescendants(leader), "SIGKILL");
}

function signalAll(leader: number, family: number[], signal: NodeJS.Signals): void {
  trySignal(-leader, signal);
  // Those that left the group with setsid.
  for (const pid of family) trySignal(pid, signal);
}

function isAnyAlive(leader: number, family: number[]): boolean {
  return trySignal(-leader, 0) || family.some((pid) => trySignal(pid, 0));
}

/** False when there is nobody to signal. */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

/** By /proc; systems without it have the group alone. */
function findDescendants(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of listProcesses()) {
    const parent = readParent(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const open = [ancestor];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const next = children.get(pid) ?? [];
    found.push(...next);
    open.push(...next);
  }
  return found;
}

function listProcesses(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readParent(pid: number): number | undefined {
  try {
    // `pid (name) state parent ...`, and the name may hold anything, brackets too.
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}
