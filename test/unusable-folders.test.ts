// Folders that cannot be looked at, as on a network disk that is gone: the assistant answers, and doctor names them.
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say } from "../src/i18n/words.ts";
import { sentence, words } from "./support/english.ts";
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
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining(words.demo.tryThese) });
  const { stdout, code } = await run("doctor");
  expect(code).toBe(1);
  expect(stdout).toContain(sentence("storage.unusable", { path, errno: "ELOOP" }));
});

test.each([
  ["english", "en_US.UTF-8"],
  ["chinese", "zh_CN.UTF-8"],
] as const)("a place for conversations that cannot be trusted is named in %s", async (language, LANG) => {
  const offline = { provider: "offline" };
  const home = await createProgramHome({ agents: { defaults: offline } }, { LANG });
  const path = join(home.workspace, ".nanobot", "workspace-id");
  await mkdir(dirname(path), { recursive: true });
  await symlink("elsewhere", path);
  const linked = await runProgram(nanobot("agent", "-m", "hello"), home);
  const words = createWords(language);
  expect(linked).toMatchObject({ code: 1, stdout: "" });
  expect(linked.stderr).toContain(say(phrase("storage.not-plain", { path }), words));

  const workspace = dirname(home.home);
  await writeFile(
    join(home.home, "config.json"),
    JSON.stringify({ agents: { defaults: { ...offline, workspace } } }),
  );
  const inside = await runProgram(nanobot("agent", "-m", "hello"), home);
  expect(inside).toMatchObject({ code: 1, stdout: "" });
  const folder = join(home.home, "sessions");
  const reason = phrase("storage.sessions-in-workspace", { folder, workspace });
  expect(inside.stderr).toContain(say(reason, words));
});
