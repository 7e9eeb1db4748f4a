// Tests of the real program run the bundle, so it is built once from the present sources before any test. It is also started
// once, as each command that keeps its compiled code, so that programs with fresh homes do not all compile it again.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Absent where a run without this set-up uses the sources as they are. */
    isBuilt?: boolean;
    /** The `cache` folder of a home in which the program has run. */
    compiled?: string;
  }
}

const toPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [toPath("scripts/build.mjs")], { stdio: "inherit" });
  project.provide("isBuilt", true);
  const folder = await mkdtemp(join(tmpdir(), "nanobot-compiled-"));
  project.provide("compiled", await compile(folder));
  return () => rm(folder, { recursive: true, force: true });
}

async function compile(folder: string): Promise<string> {
  const home = join(folder, ".nanobot");
  await mkdir(home);
  const env = { PATH: process.env.PATH, HOME: folder };
  const argv = [toPath("bin/nanobot.mjs")];
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [...argv, ...words], { env, stdio: "ignore" });
  run("agent", "-m", "Hello");
  const gateway = spawn(process.execPath, [...argv, "gateway", "--port", "0"], { env, stdio: "ignore" });
  const ended = once(gateway, "exit");
  while (gateway.exitCode === null && !existsSync(join(home, "run/gateway.json"))) await setTimeout(20);
  run("agent", "-m", "Hello");
  run("cron", "list");
  gateway.kill("SIGTERM");
  await ended;
  // The only other thing in it.
  await rm(join(home, "cache/skills.json"));
  return join(home, "cache");
}
