import { readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createSessionHome } from "../../test/support/session-home.ts";
import { type Program, runProgram, startProgram } from "../../test/support/start-program.ts";
import { hasSystemPart } from "../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { systemClock } from "../lib/clock.ts";
import * as homeLock from "./home-lock.ts";

const holder = new URL("../../test/support/hold-home-lock.ts", import.meta.url).pathname;
const turnTaker = new URL("../../test/support/take-turns.ts", import.meta.url).pathname;

async function startHolder(home: string, purpose = "a long turn"): Promise<Program> {
  const program = startProgram([process.execPath, holder, home, purpose]);
  await program.waitFor("held");
  return program;
}

/** Its files are closed with the test. */
function createHomeLock(options: homeLock.HomeLockOptions): homeLock.HomeLock {
  const lock = homeLock.createHomeLock(options);
  onTestFinished(() => lock.close());
  return lock;
}

/** Takes it only if it is free at this moment. */
async function isFree(home: string): Promise<boolean> {
  const lock = createHomeLock({ home, clock: systemClock, patienceMs: 0 });
  try {
    (await lock.acquire("trying"))();
    return true;
  } catch (error) {
    if (error instanceof homeLock.HomeLockedError) return false;
    throw error;
  }
}

test("says while it is held who holds it, for nobody else to read", async () => {
  const home = await createTemporaryFolder();
  const clock = createFakeClock();
  const release = await createHomeLock({ home, clock }).acquire("session cli:direct");
  const path = join(home, "run", "lock.json");
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    pid: process.pid,
    purpose: "session cli:direct",
    since: expect.stringMatching(/^2026-08-01T\d\d:\d\d:00$/),
  });
  for (const file of [path, join(home, "run", "lock.db")])
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, "run"))).mode & 0o777).toBe(0o700);
  release();
  expect(await readFile(path, "utf8")).toBe("");
});

test("another process waits until it is released", async () => {
  const home = await createTemporaryFolder();
  const program = await startHolder(home);
  let isTaken = false;
  const waiting = createHomeLock({ home, clock: systemClock })
    .acquire("mine")
    .then((release) => {
      isTaken = true;
      return release;
    });
  expect(await isFree(home)).toBe(false);
  expect(isTaken).toBe(false);
  program.kill("SIGTERM");
  (await waiting)();
  expect(await program.ended).toMatchObject({ code: 0, stderr: "" });
});

test("says once, when the wait is felt, for whom it waits", async () => {
  const home = await createTemporaryFolder();
  const program = await startHolder(home, "session telegram:1");
  const clock = createFakeClock();
  const told: unknown[] = [];
  const lock = createHomeLock({ home, clock, onWait: (holder) => told.push(holder?.pid) });
  await clock.runUntil(lock.acquire("mine").catch(() => {}));
  expect(told).toEqual([program.pid]);
});

test("after half a minute it gives up and names the holder", async () => {
  const home = await createTemporaryFolder();
  const program = await startHolder(home, "session telegram:1");
  const clock = createFakeClock();
  const error = await clock.runUntil(
    createHomeLock({ home, clock })
      .acquire("mine")
      .catch((reason: unknown) => reason),
  );
  expect(error).toBeInstanceOf(homeLock.HomeLockedError);
  expect(error).toMatchObject({ home, holder: { pid: program.pid, purpose: "session telegram:1" } });
  expect(clock.elapsed()).toBe(30_000);
});

test("names nobody when the information is missing or broken", async () => {
  const home = await createTemporaryFolder();
  await startHolder(home);
  const path = join(home, "run", "lock.json");
  for (const content of [
    "",
    "null",
    '{"pid":"x"}',
    "\0\0",
    '{"pid":1,"purpose":"\u001b[2J","since":"x"}',
    undefined,
  ]) {
    if (content === undefined) await rm(path);
    else await writeFile(path, content);
    const lock = createHomeLock({ home, clock: systemClock, patienceMs: 0 });
    await expect(lock.acquire("mine")).rejects.toThrow(homeLock.HomeLockedError);
  }
});

test("it is free at once after its holder was killed", async () => {
  const home = await createTemporaryFolder();
  const program = await startHolder(home);
  expect(await isFree(home)).toBe(false);
  program.kill("SIGKILL");
  await program.ended;
  expect(await isFree(home)).toBe(true);
});

test("turns of one process share it, and the last one frees it", async () => {
  const home = await createTemporaryFolder();
  const lock = createHomeLock({ home, clock: systemClock });
  const releases = await Promise.all([lock.acquire("one"), lock.acquire("two"), lock.acquire("three")]);
  const [first, second, third] = releases;
  first?.();
  first?.();
  second?.();
  expect(await isFree(home)).toBe(false);
  third?.();
  expect(await isFree(home)).toBe(true);
  (await lock.acquire("again"))();
});

test("who waits can be called off", async () => {
  const home = await createTemporaryFolder();
  await startHolder(home);
  const abort = new AbortController();
  const lock = createHomeLock({ home, clock: systemClock });
  const waiting = lock.acquire("mine", abort.signal);
  abort.abort(new Error("called off"));
  await expect(waiting).rejects.toThrow("called off");
  await expect(lock.acquire("mine", abort.signal)).rejects.toThrow("called off");
});

test("a lock file that is no database is replaced, and still keeps others out", async () => {
  const home = await createTemporaryFolder({ "run/lock.db": "this is not a database, not even nearly, no" });
  const release = await createHomeLock({ home, clock: systemClock }).acquire("mine");
  expect(await isFree(home)).toBe(false);
  release();
  expect(await isFree(home)).toBe(true);
});

test("a file of information that cannot be written keeps nobody from working", async () => {
  const home = await createTemporaryFolder({ "run/lock.json/in-the-way": "" });
  const lock = createHomeLock({ home, clock: systemClock });
  for (const purpose of ["first", "second"]) {
    const release = await lock.acquire(purpose);
    const other = createHomeLock({ home, clock: systemClock, patienceMs: 0 });
    await expect(other.acquire("mine")).rejects.toThrow(homeLock.HomeLockedError);
    release();
  }
  expect(await isFree(home)).toBe(true);
});

test("what goes wrong while the information is written leaves no transaction open", async () => {
  const home = await createTemporaryFolder({ "run/lock.db": "" });
  // Reads and writes nothing: truncating a device fails.
  await symlink("/dev/full", join(home, "run", "lock.json"));
  const lock = createHomeLock({ home, clock: systemClock });
  for (const purpose of ["first", "second"]) (await lock.acquire(purpose))();
  expect(await isFree(home)).toBe(true);
});

test("a folder that cannot be looked into is named, and nobody is told to remove the lock", async () => {
  const home = await createTemporaryFolder();
  await symlink("run", join(home, "run"));
  const lock = createHomeLock({ home, clock: systemClock });
  await expect(lock.acquire("mine")).rejects.toMatchObject({ name: "HomeNotWritableError", code: "ELOOP" });
  lock.close();
});

test("processes that share a session take turns whole", async () => {
  const home = await createSessionHome();
  const names = ["x", "y", "z"];
  const runs = names.map((name) => runProgram([process.execPath, turnTaker, home.home, name, "15"]));
  for (const { code, stderr } of await Promise.all(runs))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { recent: messages } = await (await home.openStore()).open("shared", "owner");
  expect(messages).toHaveLength(names.length * 15 * 3);
  for (let index = 0; index < messages.length; index += 3) {
    const turn = messages[index]?.turn;
    expect(messages.slice(index, index + 3).map(({ id }) => id)).toEqual([
      `${turn}.a`,
      `${turn}.b`,
      `${turn}.c`,
    ]);
  }
});

const hasMounts = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

test.runIf(hasMounts).each(["without", "with"])(
  "a read-only disk %s a lock file is named as such",
  async (how) => {
    const home = await createTemporaryFolder();
    const prepare = how === "with" ? 'mkdir "$1/run" && touch "$1/run/lock.db"' : "true";
    const script = `mount -t tmpfs tmpfs "$1" && ${prepare} && mount -o remount,ro "$1" && exec "$2" "$3" "$1" mine`;
    const argv = ["unshare", "-Urm", "sh", "-c", script, "sh", home, process.execPath, holder];
    const { code, stderr } = await runProgram(argv);
    expect(code).toBe(1);
    expect(stderr).toContain(`HomeNotWritableError: cannot write to ${home} (EROFS)`);
  },
);
