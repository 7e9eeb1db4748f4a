// Folders that cannot be looked at, as on a network disk that is gone: the assistant answers, and doctor names them.
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say } from "../src/i18n/words.ts";
import { sentence, words } from "./support/english.ts";
import { createProgramHome, nanobot, type ProgramHome } from "./support/run-program.ts";
import { runProgram } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

const folders = ["memory", "skills", "people", "cron"].map((name) => `workspace/${name}`);
folders.push("logs", "cache", "media");

async function createHomeWithout(...broken: string[]): Promise<ProgramHome & { paths: string[] }> {
  const home = await createProgramHome({ agents: { defaults: { provider: "offline" } } });
  const paths = broken.map((folder) => join(home.home, folder));
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    await symlink(basename(path), path);
  }
  return { ...home, paths };
}

test.each(folders)("without %s the assistant answers", async (folder) => {
  const { env } = await createHomeWithout(folder);
  const line = ["agent", "-m", "hello"];
  // The launcher uses the cache.
  const answered =
    folder === "cache" ? await runProgram(nanobot(...line), { env }) : await typeHere(line, env);
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining(words.demo.tryThese) });
});

test("doctor names each of them", async () => {
  const { env, paths } = await createHomeWithout(...folders);
  const { stdout, code } = await typeHere(["doctor"], env);
  expect(code).toBe(1);
  for (const path of paths) expect(stdout).toContain(sentence("storage.unusable", { path, errno: "ELOOP" }));
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
  const linked = await typeHere(["agent", "-m", "hello"], home.env);
  const words = createWords(language);
  expect(linked).toMatchObject({ code: 1, stdout: "" });
  expect(linked.stderr).toContain(say(phrase("storage.not-plain", { path }), words));

  const workspace = dirname(home.home);
  await writeFile(
    join(home.home, "config.json"),
    JSON.stringify({ agents: { defaults: { ...offline, workspace } } }),
  );
  const inside = await typeHere(["agent", "-m", "hello"], home.env);
  expect(inside).toMatchObject({ code: 1, stdout: "" });
  const folder = join(home.home, "sessions");
  const reason = phrase("storage.sessions-in-workspace", { folder, workspace });
  expect(inside.stderr).toContain(say(reason, words));
});
