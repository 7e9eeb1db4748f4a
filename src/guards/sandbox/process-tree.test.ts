import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { strace } from "../../../test/support/fault-scene.ts";
import { keepAlive } from "../../../test/support/keep-alive.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { systemClock } from "../../lib/clock.ts";
import { endProcessTree, measureTree, watchTree } from "./process-tree.ts";

/** Starts a shell of its own group and waits until it has printed the pids of its children. */
async function startTree(
  script: string,
  count: number,
): Promise<{ leader: number; pids: number[]; exited: Promise<unknown> }> {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const pids: number[] = [];
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    pids.push(...String(chunk).trim().split(/\s+/).map(Number));
    if (pids.length >= count) break;
  }
  return { leader: child.pid ?? 0, pids, exited };
}

function isRunning(pid: number): boolean {
  const state = spawnState(pid);
  return state !== "" && !state.startsWith("Z");
}

function spawnState(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

it("ends a program with its children, and those that left its group", async () => {
  const tree = await startTree("bash -c 'sleep 300 & echo $!; wait' & setsid sleep 300 & echo $!; wait", 2);
  expect(tree.pids.map(isRunning)).toEqual([true, true]);
  await endProcessTree(tree.leader);
  await tree.exited;
  expect([tree.leader, ...tree.pids].map(isRunning)).toEqual([false, false, false]);
});

it("insists on those that do not listen", async () => {
  const tree = await startTree(
    "trap '' TERM; (trap '' TERM; echo $BASHPID; while :; do sleep 300; done) & wait",
    1,
  );
  await endProcessTree(tree.leader);
  await tree.exited;
  expect(tree.pids.map(isRunning)).toEqual([false]);
});

describe.runIf(hasSystemPart(strace, "strace (and allow it to attach)"))(
  "one that is killed and does not die",
  () => {
    it("is waited for", async () => {
      const tree = await startTree("echo $$; exec sleep 300", 1);
      const letDie = await keepAlive(tree.leader);
      const ended = endProcessTree(tree.leader, { isUrgent: true });
      // Longer than it waits for one that was asked to end.
      const first = await Promise.race([ended.then(() => "given up"), systemClock.sleep(1_500)]);
      expect([first, isRunning(tree.leader)]).toEqual([undefined, true]);
      await letDie();
      expect(await ended).toBe(true);
      expect(isRunning(tree.leader)).toBe(false);
      await tree.exited;
    });

    it("is given up in bounded time", async () => {
      const tree = await startTree("echo $$; exec sleep 300", 1);
      const letDie = await keepAlive(tree.leader);
      const fast = { ...systemClock, elapsed: () => 100 * systemClock.elapsed() };
      expect(await endProcessTree(tree.leader, { clock: fast })).toBe(false);
      await letDie();
      await tree.exited;
    });
  },
);

it("ends the group also where nothing can be looked at, for too many open files", async () => {
  const module = JSON.stringify(new URL("process-tree.ts", import.meta.url).href);
  const script = `
    import { spawn } from "node:child_process";
    import { openSync } from "node:fs";
    const { endProcessTree, measureTree } = await import(${module});
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    child.on("exit", (_, signal) => console.log(signal));
    try { for (;;) openSync("/dev/null", "r"); } catch {}
    console.log(measureTree(child.pid).processes, await endProcessTree(child.pid));`;
  const limited = ["-c", 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const printed = execFileSync("bash", limited, { encoding: "utf8" });
  expect(printed.trim().split("\n").sort()).toEqual(["0 true", "SIGTERM"]);
});

it("has nothing against one that is gone already", async () => {
  const tree = await startTree("echo 1", 1);
  await tree.exited;
  expect(await endProcessTree(tree.leader)).toBe(true);
});

it.runIf(process.platform === "linux")("counts the processes and the memory of a program", async () => {
  const tree = await startTree("sleep 300 & echo $!; setsid sleep 300 & echo $!; wait", 2);
  const { processes, memory } = measureTree(tree.leader);
  expect(processes).toBe(3);
  expect(memory).toBeGreaterThan(1_000_000);
  await endProcessTree(tree.leader, { isUrgent: true });
  await tree.exited;
  expect(measureTree(tree.leader)).toEqual({ processes: 0, memory: 0 });
});

function countThreads(): number {
  return Number(/\/(\d+)/.exec(readFileSync("/proc/loadavg", "utf8"))?.[1]);
}

/** Many processes that cost little. */
function multiply({ isToWait = false } = {}) {
  const script = `${isToWait ? "read;" : ""} for i in {1..600}; do read <&0 & done; echo all; wait`;
  const program = spawn("bash", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "ignore"] });
  const leader = program.pid ?? 0;
  const exited = once(program, "exit");
  const end = async () => {
    await endProcessTree(leader, { isUrgent: true });
    await exited;
  };
  return { leader, running: once(program.stdout, "data"), goOn: () => program.stdin.write("\n"), end };
}

it.runIf(process.platform === "linux")("notices a program that multiplies, and no other", async () => {
  const quiet = await startTree("sleep 300 & echo $!; wait", 1);
  const noticed: string[] = [];
  const unwatch = watchTree(quiet.leader, (excess) => noticed.push(`quiet ${excess}`));
  const many = multiply();
  const excess = await new Promise((resolve) => void watchTree(many.leader, resolve));
  await many.end();
  unwatch();
  await endProcessTree(quiet.leader);
  expect(excess).toBe("processes");
  expect(noticed).toEqual([]);
});

it.runIf(process.platform === "linux")("notices it also when as many others have ended", async () => {
  const others = multiply();
  await others.running;
  const many = multiply({ isToWait: true });
  const noticed = new Promise((resolve) => void watchTree(many.leader, resolve));
  const before = countThreads();
  await others.end();
  await expect.poll(() => before - countThreads()).toBeGreaterThan(400);
  many.goOn();
  expect(await noticed).toBe("processes");
  await many.end();
});
