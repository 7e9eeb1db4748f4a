// What the program tells a person about a config, a home or a folder that is not as it should be, and about wrong usage.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anything, like, sentence, words } from "./support/english.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { configFor, createProgramHome, type ProgramHome } from "./support/run-program.ts";
import type { Ended } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

function run(home: ProgramHome, ...argv: string[]): Promise<Ended> {
  return typeHere(argv, home.env);
}

describe("a config", () => {
  it("that is broken is reported with every path and reason, also where the last good copy is used", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url));
    await run(home, "agent", "-m", "hi");
    const broken = { agents: { defaults: { maxTokens: "many", temperature: "warm" } } };
    await writeFile(join(home.home, "config.json"), JSON.stringify(broken));
    const { code, stdout, stderr } = await run(home, "agent", "-m", "hi");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok\n" });
    expect(stderr).toContain("last-good");
    expect(stderr).toContain("agents.defaults.maxTokens");
    expect(stderr).toContain("agents.defaults.temperature");
  });

  it.each([
    ["has no usable host", {}, sentence("choice.no-usable-host")],
    [
      "names no model for its host",
      { providers: { custom: { apiBase: "http://127.0.0.1:1/v1" } } },
      sentence("choice.no-model-named", { host: "custom" }),
    ],
  ])("that %s is told once, because the offline model answers then", async (_, config, reason) => {
    const { code, stderr } = await run(await createProgramHome(config), "agent", "-m", "hi");
    expect(code).toBe(0);
    expect(stderr.split("\n").filter((line) => line.includes(reason))).toHaveLength(1);
  });

  it.each([
    ["no config", undefined],
    ["a config that asks for it", { agents: { defaults: { provider: "offline" } } }],
  ])("is not complained about when the offline model answers with %s", async (_, config) => {
    const home = await createProgramHome(config);
    expect(await run(home, "agent", "-m", "hi")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a place that cannot be used", () => {
  const oneSentence = (text: string) => {
    expect(text).not.toMatch(like(words.failure.unexpected(anything)));
    expect(text).toMatch(/^.+\n$/);
  };

  it.each(["agent", "onboard"])("is named when %s is given a workspace that is a file", async (command) => {
    const home = await createProgramHome();
    const file = join(home.home, "notes.txt");
    await writeFile(file, "mine");
    const flags =
      command === "agent" ? ["-m", "hi"] : ["--provider", "ollama", "--model", "m", "--yes", "--no-test"];
    const { code, stdout, stderr } = await run(home, command, "-w", file, ...flags);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words.failure.notAFolder(file));
    oneSentence(stderr);
    // The built program keeps its compile cache there.
    expect((await readdir(home.home)).filter((name) => name !== "cache")).toEqual(["notes.txt"]);
  });

  it("is named when it is the home, with what to do", async () => {
    const outer = await createProgramHome();
    const file = join(outer.home, "file");
    await writeFile(file, "");
    const home = await createProgramHome(undefined, { NANOBOT_HOME: join(file, "home") });
    const { code, stdout, stderr } = await run(home, "agent", "-m", "hi");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      sentence("storage.home-unwritable", { home: join(file, "home"), errno: "ENOTDIR" }),
    );
    oneSentence(stderr);
  });

  it("is named when it is below a file", async () => {
    const home = await createProgramHome();
    const file = join(home.home, "file");
    await writeFile(file, "");
    const { code, stderr } = await run(home, "agent", "-m", "hi", "-w", join(file, "workspace"));
    expect(code).toBe(1);
    expect(stderr).toContain(join(file, "workspace"));
    oneSentence(stderr);
  });

  it("is named in the sentence of the feature that met it", async () => {
    const home = await createProgramHome();
    await writeFile(join(home.home, "sessions"), "a file where the folder should be");
    const { code, stderr } = await run(home, "agent", "-m", "hi");
    expect(code).toBe(1);
    const unsaved = like(
      sentence("storage.session-write", {
        path: `${join(home.home, "sessions")}${anything}`,
        errno: "EEXIST",
      }),
    );
    expect(stderr).toMatch(unsaved);
    oneSentence(stderr);
    const json = await run(home, "agent", "-m", "hi", "--json");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout).error).toMatch(unsaved);
  });

  it("is named with the system's reason where nobody has put it into words", async () => {
    const home = await createProgramHome();
    await symlink(join(home.home, "loop"), join(home.home, "loop"));
    const { code, stderr } = await run(home, "agent", "-m", "hi", "-w", join(home.home, "loop"));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      like(sentence("storage.unusable", { path: `${anything}loop${anything}`, errno: anything })),
    );
    oneSentence(stderr);
  });
});

describe("wrong usage with --json", () => {
  it.each([
    [["agent", "--json", "--bogus", "-m", "hi"], "--bogus"],
    [["agent", "--json", "-m"], words.usage.missingValue("-m, --message <text>")],
    [["--json", "--bogus"], "--bogus"],
  ])("is one JSON value with the mistake in it: %j", async (argv, hint) => {
    const { code, stdout, stderr } = await run(await createProgramHome(), ...argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ stop: "error", error: expect.stringContaining(hint) });
  });

  it("is a sentence on stderr where the question is not for the assistant", async () => {
    const { code, stdout, stderr } = await run(await createProgramHome(), "agnt", "--json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words.usage.unknownCommand("agnt", "agent"));
  });
});

describe("a command that fails with --json", () => {
  it.each([
    [["mcp", "test", "nope", "--json"], 1, "nope"],
    [["gateway", "stop", "--json"], 1, "gateway"],
    [["memory", "search", "--json"], 2, "memory search"],
  ])("prints one JSON value that says why: %j", async (argv, expected, hint) => {
    const { code, stdout } = await run(await createProgramHome(), ...argv);
    expect(code).toBe(expected);
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(hint) });
  });
});

describe("nanobot status", () => {
  it.skipIf(process.platform === "win32")("names a gateway of the Python original that runs", async () => {
    const home = await createProgramHome();
    await mkdir(join(home.home, "run"));
    const script = join(home.home, "nanobot");
    await writeFile(script, "echo ready; read -r line\n");
    const gateway = spawn("/bin/sh", [script, "gateway"], { stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(async () => {
      const closed = once(gateway, "close");
      gateway.stdin.end();
      await closed;
    });
    await once(gateway.stdout, "data");
    await writeFile(join(home.home, "run", "gateway.json"), JSON.stringify({ pid: gateway.pid }));
    const { code, stdout } = await run(home, "status");
    expect(code).toBe(0);
    expect(stdout).toContain(words.status.gateway(gateway.pid ?? 0));
  });
});

describe("a file that --config names and that is not there", () => {
  it("is told by agent and status, and defaults are used", async () => {
    const home = await createProgramHome();
    const file = join(home.home, "missing.json");
    const warning = words.failure.configMissing(file);
    const asked = await run(home, "agent", "-m", "hi", "--config", file);
    expect(asked).toMatchObject({ code: 0, stderr: `${warning}\n` });
    expect((await run(home, "status", "--config", file)).stdout).toContain(warning);
    const json = await run(home, "status", "--json", "--config", file);
    expect(JSON.parse(json.stdout).config.warnings).toEqual([warning]);
  });

  it("is not missed where no file was named", async () => {
    expect((await run(await createProgramHome(), "status")).stdout).not.toMatch(
      like(words.failure.configMissing(anything)),
    );
  });
});
