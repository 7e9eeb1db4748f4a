// A process that can be killed and does not die, as one that waits for a disk that does not answer: the kernel keeps it until
// its tracer, which is stopped, has seen its end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** Needs strace. Returns the way to let it die. */
export async function keepAlive(pid: number): Promise<() => Promise<void>> {
  const tracer = spawn("strace", ["-f", "-o", "/dev/null", "-p", String(pid)], { stdio: "pipe" });
  const ended = once(tracer, "exit");
  await once(tracer.stderr, "data");
  tracer.kill("SIGSTOP");
  await expect.poll(() => readFileSync(`/proc/${tracer.pid}/stat`, "latin1")).toMatch(/\) [Tt] /);
  return async () => {
    tracer.kill("SIGCONT");
    await ended;
  };
}
