// Runs before each test file: no key, setting or proxy of the person who runs the tests may reach them, nothing of the file
// before in the same process, and nothing may be left behind by this one.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, vi } from "vitest";
import { putKeys } from "./keys-catalogue.ts";
import { findLeftovers, lookAround } from "./leftovers.ts";
import { cases } from "./long-form.ts";
import { seed } from "./seed.ts";

interface Ground {
  env: NodeJS.ProcessEnv;
  folder: string;
  disk: string;
  memory: string;
}

/** Of the process, as it was before its first file. */
const place = globalThis as { nanobotGround?: Ground; hasKeys?: boolean };
place.nanobotGround ??= {
  env: { ...process.env },
  folder: process.cwd(),
  disk: realpathSync(tmpdir()),
  memory: findMemory(),
};
const ground = place.nanobotGround;

/** All temporary folders of the file are in it, and it is empty at the end. Short, because paths of sockets are. */
const temporary = mkdtempSync(join(isAboutFiles() ? ground.memory : ground.disk, "nb-"));
// Tests that give up being root still find their folders.
chmodSync(temporary, 0o755);
const home = join(temporary, "home");
mkdirSync(home);
restore();
fc.configureGlobal({ seed, numRuns: cases(100) });
await useKeys();
// Opened by the first caller.
void [process.stdin, process.stdout, process.stderr];
const before = lookAround(temporary);

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  const leftovers = await findLeftovers(before);
  restore();
  rmSync(temporary, { recursive: true, force: true });
  if (leftovers.length > 0) throw new Error(`This file leaves behind: ${leftovers.join("; ")}`);
});

/** `CATALOGUE=keys npm test`: once for all files of the process. */
async function useKeys(): Promise<void> {
  const isUsed = process.env.CATALOGUE !== "keys" || place.hasKeys === true;
  if (isUsed) return;
  place.hasKeys = true;
  const { english } = await import("../../src/i18n/en/index.ts");
  putKeys(english);
}

function restore(): void {
  process.chdir(ground.folder);
  const leaks = /(_API_KEY|_TOKEN)$|^NANOBOT_|^(https?|all|no)_proxy$|^npm_/i;
  const unwanted = ["LC_ALL", "LC_MESSAGES", "LANGUAGE", "NO_COLOR", "FORCE_COLOR"];
  for (const name of Object.keys(process.env)) if (!(name in ground.env)) delete process.env[name];
  Object.assign(process.env, ground.env);
  for (const name of Object.keys(process.env))
    if (leaks.test(name) || unwanted.includes(name)) delete process.env[name];
  // Threads and scripts that tests start from the sources are compiled once: without it that is four fifths of what a thread costs.
  const NODE_COMPILE_CACHE = join(ground.folder, "node_modules/.cache/compiled-tests");
  Object.assign(process.env, { HOME: home, TMPDIR: temporary, LANG: "en_US.UTF-8", NODE_COMPILE_CACHE });
}

/** Thousands of small homes are no matter of the disk's speed. Not where guards decide: they let nobody into /dev. */
function isAboutFiles(): boolean {
  const modules = ["bus", "channels", "config", "dream", "lib", "memory", "recall", "schedule", "storage"];
  const { testPath = "" } = expect.getState();
  return modules.some((name) => testPath.startsWith(join(ground.folder, "src", name)));
}

function findMemory(): string {
  const memory = "/dev/shm";
  return realpathSync(hasRoom(memory) ? memory : tmpdir());
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 * 1024 ** 3;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
