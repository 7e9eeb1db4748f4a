// The processes of a program that was started as the leader of its own group: ends them all, and watches a running
// command for too many processes or too much memory.
import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { codeOf } from "../files/file-error.ts";

/** Killed is not yet dead: a busy machine takes its time, and some wait for a disk that does not answer. */
const graceMs = { SIGTERM: 1_000, SIGKILL: 10_000 };
const pollMs = 20;

export interface EndOptions {
  isUrgent?: boolean;
  clock?: Clock;
}

/**
 * Asks first unless it is urgent, then insists. Resolves when nothing of the tree is alive; with false when something of it
 * cannot be ended, because it waits for a disk that does not answer, or is not ours.
 */
export async function endProcessTree(leader: number, options: EndOptions = {}): Promise<boolean> {
  const { isUrgent = false, clock = systemClock } = options;
  // Kept from the beginning: once its parent is dead, one that left the group can no longer be recognised as part of the tree.
  const known = new Set([leader]);
  for (const signal of isUrgent ? (["SIGKILL"] as const) : (["SIGTERM", "SIGKILL"] as const)) {
    for (const pid of findTree(leader)) known.add(pid);
    signalAll(leader, known, signal);
    if (await areAllGone(leader, known, { clock, withinMs: graceMs[signal] })) return true;
  }
  return false;
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
  for (const leader of leaders) signalAll(leader, findTree(leader), "SIGKILL");
}

function signalAll(leader: number, pids: Iterable<number>, signal: NodeJS.Signals): void {
  trySignal(-leader, signal);
  for (const pid of pids) trySignal(pid, signal);
}

async function areAllGone(
  leader: number,
  known: Set<number>,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<boolean> {
  const deadline = clock.elapsed() + withinMs;
  while (isAnyAlive(leader, known)) {
    if (clock.elapsed() > deadline) return false;
    await clock.sleep(pollMs);
  }
  return true;
}

function isAnyAlive(leader: number, known: Set<number>): boolean {
  if (process.platform !== "linux") return trySignal(-leader, 0);
  try {
    return [...known].some((pid) => readStatus(pid)?.isAlive) || listTree(leader).length > 0;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return trySignal(-leader, 0);
  }
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

interface TreeSize {
  /** Threads count, as they do for the system. */
  processes: number;
  /** Bytes in memory, what is shared counted for each. */
  memory: number;
}

/** Nothing on systems without /proc. */
export function measureTree(leader: number): TreeSize {
  const size = { processes: 0, memory: 0 };
  for (const pid of findTree(leader)) {
    const text = readIfThere(`/proc/${pid}/status`);
    size.processes += Number(/^Threads:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    size.memory += Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  }
  return size;
}

/** None where they cannot be looked at, such as for too many open files: signals still reach the group. */
function findTree(leader: number): number[] {
  try {
    return listTree(leader);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

/** All that are alive in the leader's group or descend from it. By /proc; systems without it have the group alone. */
function listTree(leader: number): number[] {
  const children = new Map<number, number[]>();
  const tree = new Set<number>();
  for (const status of listProcesses()) {
    children.set(status.parent, [...(children.get(status.parent) ?? []), status.pid]);
    if (status.group === leader) tree.add(status.pid);
  }
  const open = [leader, ...tree];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (!tree.has(child)) open.push(child);
      tree.add(child);
    }
  }
  return [...tree];
}

interface ProcessStatus {
  pid: number;
  parent: number;
  group: number;
  /** False for one that is dead and waits for its parent to notice. */
  isAlive: boolean;
}

function listProcesses(): ProcessStatus[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const status = readStatus(Number(name));
    return status?.isAlive ? [status] : [];
  });
}

function readStatus(pid: number): ProcessStatus | undefined {
  // `pid (name) state parent group ...`, and the name may hold anything, brackets too.
  const text = readStat(pid);
  if (text === undefined) return undefined;
  const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(parent), group: Number(group), isAlive: state !== "Z" && state !== "X" };
}

/** Undefined when it is gone. */
function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

export type Excess = "processes" | "memory";

const intervalMs = 100;
/** What begins here is hidden in the figures of the system when as much of others ends. */
const looksToCount = 20;
const mostProcesses = 512;
/** Memory is short when less than this part of it is left, and a command is to blame that holds a quarter of it. */
const leastAvailable = 0.1;
const mostMemory = 0.25;

/** Calls back once. Linux alone; does nothing elsewhere. Returns the way to call it off. */
export function watchTree(leader: number, onExcess: (excess: Excess) => void): () => void {
  if (process.platform !== "linux") return () => {};
  let usual = countThreads();
  let looks = 0;
  const timer = setInterval(() => {
    const excess = look();
    if (excess === undefined) return;
    clearInterval(timer);
    onExcess(excess);
  }, intervalMs);
  timer.unref();

  /** Two figures of the whole system are cheap; the tree is counted when they say that something is going on, and now and then. */
  function look(): Excess | undefined {
    const threads = countThreads();
    const isShort = availableMemory() < leastAvailable * totalmem();
    looks += 1;
    if (threads - usual <= mostProcesses && !isShort && looks % looksToCount !== 0) return undefined;
    const size = measureTree(leader);
    if (size.processes > mostProcesses) return "processes";
    usual = Math.max(usual, threads - size.processes);
    return isShort && size.memory > mostMemory * totalmem() ? "memory" : undefined;
  }

  return () => clearInterval(timer);
}

/** All that the system has, from `0.20 0.18 0.12 1/523 11206`. */
function countThreads(): number {
  return Number(/\/(\d+)/.exec(readIfThere("/proc/loadavg"))?.[1] ?? 0);
}

function availableMemory(): number {
  const line = /^MemAvailable:\s+(\d+) kB/m.exec(readIfThere("/proc/meminfo"));
  return line === null ? Number.POSITIVE_INFINITY : Number(line[1]) * 1024;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "";
  }
}
