// What the check after each test file finds, and that it waits for what only takes its time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readlink, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findLeftovers, lookAround } from "./support/leftovers.ts";

async function look() {
  const temporary = await realpath(await mkdtemp(join(tmpdir(), "left-")));
  onTestFinished(() => rm(temporary, { recursive: true, force: true }));
  await mkdir(join(temporary, "home"));
  return { temporary, before: lookAround(temporary) };
}

it("waits for a request that is under way, and for each after it", async () => {
  const { temporary, before } = await look();
  let isDone = false;
  const ask = async () => {
    // One request after the other: at each look one of them is under way.
    for (let round = 0; round < 300; round++) await stat(join(temporary, "home"));
    isDone = true;
  };
  const asking = ask();
  expect(await findLeftovers(before)).toEqual([]);
  expect(isDone).toBe(true);
  await asking;
});

it.runIf(process.platform === "linux")("waits for a process whose parent is gone", async () => {
  const { temporary, before } = await look();
  const shell = spawn("sh", ["-c", "sleep 1 <&- >&- 2>&- & echo $!"], { cwd: temporary });
  const [pid] = await once(shell.stdout, "data");
  await once(shell, "close");
  expect(await findLeftovers(before)).toEqual([]);
  await expect(readlink(`/proc/${Number(pid)}/cwd`)).rejects.toThrow("ENOENT");
});
