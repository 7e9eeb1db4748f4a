// Folders that cannot be looked at, as on a network disk that is gone: the assistant answers, and doctor names them.
import { mkdir, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sentence } from "./support/english.ts";
import { createProgramHome, nanobot } from "./support/run-program.ts";
import { runProgram } from "./support/start-program.ts";

test.each([
  "workspace/memory",
  "workspace/skills",
  "workspace/people",
  "workspace/cron",
  "logs",
  "cache",
  "media",
])("%s", async (folder) => {
  const home = await createProgramHome({ agents: { defaults: { provider: "offline" } } });
  const run = (...argv: string[]) => runProgram(nanobot(...argv), { env: home.env });
  const path = join(home.home, folder);
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { recursive: true, force: true });
  await symlink(basename(path), path);
  const answered = await run("agent", "-m", "hello");
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining("offline model") });
  const { stdout, code } = await run("doctor");
  expect(code).toBe(1);
  expect(stdout).toContain(sentence("storage.unusable", { path, errno: "ELOOP" }));
});
