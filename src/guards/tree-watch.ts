// Looks after a running command: one that multiplies or eats the memory of the machine is noticed in time. The kernel's
// own limits come first; they do not hold for root, and count each process's memory on its own.
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { codeOf } from "./file-error.ts";
import { measureTree } from "./process-tree.ts";

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
