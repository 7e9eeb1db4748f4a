// nanobot doctor, backup and restore, as a person and as a script meet them.
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anything, like, sentence, words } from "./support/english.ts";
import { createProgramHome } from "./support/run-program.ts";
import { startProgram } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

const lockHolder = new URL("./support/hold-home-lock.ts", import.meta.url).pathname;

async function createHome(config?: unknown) {
  const home = await createProgramHome(config);
  return { ...home, run: (...argv: string[]) => typeHere(argv, home.env) };
}

test("doctor says what is well, what is not and how to put it right", async () => {
  const { home, run } = await createHome({ agents: { defaults: { provider: "offline" } } });
  await chmod(home, 0o755);
  await writeFile(join(home, "state.db"), "garbage ".repeat(2_000));
  const { stdout, code } = await run("doctor", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ subject: "config", state: "ok" }),
      { subject: "files", state: "warning", sentence: expect.stringContaining(`chmod go= ${home}`) },
      { subject: "state", state: "bad", sentence: words.care.stateDamaged(join(home, "state.db")) },
      expect.objectContaining({ subject: "disk", state: "ok" }),
      expect.objectContaining({ subject: "gateway", state: "warning" }),
    ]),
  );
});

test("doctor says when summaries were moved to whose conversations they are of", async () => {
  const { workspace, run } = await createHome({ agents: { defaults: { provider: "offline" } } });
  const told = async () => {
    const findings: Array<{ subject: string }> = JSON.parse((await run("doctor", "--json")).stdout);
    return findings.filter(({ subject }) => subject === "memory");
  };
  await mkdir(join(workspace, ".nanobot"), { recursive: true });
  const note = (moved: number) =>
    writeFile(join(workspace, ".nanobot/memory-sorted"), JSON.stringify({ at: 1_700_000_000_000, moved }));
  await note(0);
  expect(await told()).toEqual([]);
  await note(3);
  expect(await told()).toEqual([
    {
      subject: "memory",
      state: "ok",
      sentence: expect.stringMatching(like(words.care.memorySorted(3, `${anything}2023${anything}`))),
    },
  ]);
});

test("doctor names what is wrong in a config, and exits 1", async () => {
  const { run } = await createHome('{"agents": ');
  const { stdout, code } = await run("doctor");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    like(`${words.care.states.bad} ${words.care.subjects.config}: ${anything}config.json`),
  );
});

test("doctor says that a home cannot be made where nothing can be written", async () => {
  const { home, env } = await createProgramHome({});
  const inAFile = { ...env, NANOBOT_HOME: join(home, "config.json", "below") };
  const { stdout, code } = await typeHere(["doctor"], inAFile);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    like(
      `${words.care.states.bad} ${words.care.subjects.disk}: ${sentence("storage.home-unwritable", { home: anything, errno: "ENOTDIR" })}`,
    ),
  );
});

test("the log is one JSON value with --json, and its absence is told without", async () => {
  const { run } = await createHome();
  expect(await run("gateway", "logs", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect((await run("gateway", "logs")).stderr).toMatch(like(words.gateway.noLog(`${anything}nanobot.log`)));
  await run("agent", "-m", "hello");
  const { stdout } = await run("gateway", "logs", "--json");
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ event: "turn-end" }));
});

test("a backup brings back everything, and what was there meanwhile is kept", async () => {
  const { home, workspace, run } = await createHome();
  await run("agent", "-m", "hello");
  await writeFile(join(workspace, "notes.md"), "谁也不能丢");
  const file = join(home, "..", "copy.tar.gz");
  const { stdout } = await run("backup", file);
  expect(stdout).toMatch(like(words.care.backedUp(`${anything}copy.tar.gz`, anything, anything)));
  expect((await run("backup", file)).code).toBe(1);
  await rm(join(workspace, "notes.md"));
  expect(await run("restore", file)).toMatchObject({ code: 2 });
  expect(await run("restore", file, "--yes")).toMatchObject({ code: 0 });
  expect(await readFile(join(workspace, "notes.md"), "utf8")).toBe("谁也不能丢");
  expect(await readdir(join(home, ".."))).toContainEqual(expect.stringMatching(/^\.nanobot\.before-/));
  expect((await run("agent", "-m", "hello again")).code).toBe(0);
});

test("a backup waits for no turn, and a restore that was killed is finished by the next command", async () => {
  const { home, workspace, env, run } = await createHome();
  await run("agent", "-m", "hello");
  const holder = startProgram([process.execPath, lockHolder, home, "a long turn"], { env });
  await holder.waitFor("held");
  const file = join(home, "..", "copy.tar.gz");
  expect(await run("backup", file)).toMatchObject({ code: 0, stderr: "" });
  holder.kill("SIGKILL");
  await holder.ended;
  const leftovers = [...(await readdir(home)), ...(await readdir(join(home, "run")))];
  expect(leftovers.filter((name) => /partial|copy|backup-/.test(name))).toEqual([]);
  // As a death leaves it after the old content was moved out.
  const [fresh, aside] = [`${home}.restored-1`, `${home}.before-1`];
  await mkdir(fresh);
  await mkdir(aside);
  for (const name of (await readdir(home)).filter((one) => one !== "run" && one !== "cache"))
    await rename(join(home, name), join(name === "workspace" ? aside : fresh, name));
  await mkdir(join(fresh, "workspace"));
  await writeFile(join(fresh, "workspace", "notes.md"), "back");
  await writeFile(join(home, "run", "restore.json"), JSON.stringify({ phase: "in", fresh, aside }));
  await run("status");
  expect(await readFile(join(workspace, "notes.md"), "utf8")).toBe("back");
  expect(await readdir(join(home, "run"))).not.toContain("restore.json");
});

test("what is no backup is refused, and nothing changes", async () => {
  const { home, run } = await createHome({});
  const file = join(home, "..", "other.tar.gz");
  await writeFile(file, "no backup");
  const { code, stderr } = await run("restore", file, "--yes");
  expect(code).toBe(1);
  expect(stderr).toMatch(like(words.care.notWhole(anything)));
  expect(await readdir(home)).toContain("config.json");
});
