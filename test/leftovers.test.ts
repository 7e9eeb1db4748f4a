// What the check after each test file finds, and that it waits for what only takes its time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readlink, realpath, rm } from "node:fs/promises";
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

it("waits for a write that is under way, and for each after it", async () => {
  const { temporary, before } = await look();
  let isDone = false;
  const write = async () => {
    for (let round = 0; round < 300; round++) await (await open(join(temporary, "home"), "r")).close();
    isDone = true;
  };
  const writing = write();
  expect(await findLeftovers(before)).toEqual([]);
  expect(isDone).toBe(true);
  await writing;
});

it.runIf(process.platform === "linux")("waits for a process whose parent is gone", async () => {
  const { temporary, before } = await look();
  const shell = spawn("sh", ["-c", "sleep 1 <&- >&- 2>&- & echo $!"], { cwd: temporary });
  const [pid] = await once(shell.stdout, "data");
  await once(shell, "close");
  expect(await findLeftovers(before)).toEqual([]);
  await expect(readlink(`/proc/${Number(pid)}/cwd`)).rejects.toThrow("ENOENT");
});
