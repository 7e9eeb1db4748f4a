// What the check after each test file finds, and that it waits for what only takes its time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
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

const leftovers: Record<string, [what: RegExp, leave: (folder: string) => Promise<() => unknown>]> = {
  "a file": [
    /^the file late\.txt$/,
    async (folder) => {
      await writeFile(join(folder, "late.txt"), "");
      return () => rm(join(folder, "late.txt"));
    },
  ],
  "an open file": [
    /^an open descriptor of .*gone\.txt/,
    async (folder) => {
      const file = await open(join(folder, "gone.txt"), "w");
      await rm(join(folder, "gone.txt"));
      return () => file.close();
    },
  ],
  // Only so many that the runner's timers, which were there before and are over, cannot be mistaken for them.
  timers: [
    /^\d of Timeout$/,
    async () => {
      const timers = Array.from({ length: 9 }, () => setTimeout(() => {}, 600_000));
      return () => timers.forEach(clearTimeout);
    },
  ],
  "a server": [
    /^1 of TCPServer/,
    async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return () => server.close();
    },
  ],
  "a process": [
    /^the process \d+ \(sleep 600\)$/,
    async () => {
      const child = spawn("sleep", ["600"], { stdio: "ignore" });
      await once(child, "spawn");
      return () => child.kill("SIGKILL");
    },
  ],
};

it.runIf(process.platform === "linux").each(Object.entries(leftovers))(
  "finds %s left behind",
  async (_, [what, leave]) => {
    const { temporary, before } = await look();
    const end = await leave(temporary);
    expect(await findLeftovers(before, 100)).toContainEqual(expect.stringMatching(what));
    await end();
    expect(await findLeftovers(before)).toEqual([]);
  },
);

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
