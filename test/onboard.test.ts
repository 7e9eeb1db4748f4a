// Onboarding and status as a person or a script meets them: the real program, a real config file, a model on loopback.
import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anything, like, sentence, words } from "./support/english.ts";
import { type FakeModel, startFakeModel } from "./support/fake-model.ts";
import {
  configFor,
  createProgramHome,
  keys,
  nanobot,
  openInTerminal,
  type ProgramHome,
} from "./support/run-program.ts";
import type { Ended } from "./support/start-program.ts";
import { typeHere } from "./support/type-here.ts";

const key = "sk-secret-0123456789";

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function readConfig({ home }: ProgramHome): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(home, "config.json"), "utf8")) as Record<string, unknown>;
}

function onboard(home: ProgramHome, argv: string[], input?: string): Promise<Ended> {
  return typeHere(["onboard", ...argv], home.env, { input });
}

/** Takes only the right key. */
function startLockedModel(): Promise<FakeModel> {
  return startFakeModel(({ authorization }) =>
    authorization === `Bearer ${key}` ? { text: "ok" } : { error: { status: 401, message: "wrong key" } },
  );
}

describe("nanobot onboard --yes", () => {
  it("tries the model, writes config and workspace, and never shows the key", async () => {
    const model = await startLockedModel();
    const home = await createProgramHome();
    const flags = ["--provider", "mine", "--api-base", model.url, "--model", "m", "--api-key-stdin", "--yes"];
    const { code, stdout, stderr } = await onboard(home, flags, `${key}\n`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).not.toContain(key);
    // Which sandbox there is, or how to get one.
    expect(stderr).toContain(`${words.sandbox.title}: `);
    expect(await readConfig(home)).toMatchObject({
      agents: { defaults: { provider: "mine", model: "m" } },
      providers: { mine: { apiKey: key, apiBase: model.url } },
    });
    expect((await stat(join(home.home, "config.json"))).mode & 0o777).toBe(0o600);
    expect(await isThere(join(home.workspace, "SOUL.md"))).toBe(true);
    expect(model.requests).toHaveLength(1);

    const asked = await typeHere(["agent", "-m", "hi"], home.env);
    expect(asked).toMatchObject({ code: 0, stdout: "ok\n" });
  });

  it("takes the window of the model from the host's list of models", async () => {
    const model = await startFakeModel(
      () => ({ text: "ok" }),
      [
        { id: "other", max_model_len: 131_072 },
        { id: "m", max_model_len: 8_192 },
      ],
    );
    const home = await createProgramHome();
    await onboard(home, ["--api-base", model.url, "--model", "m", "--api-key-stdin", "--yes"], `${key}\n`);
    expect(await readConfig(home)).toMatchObject({ agents: { defaults: { contextWindowTokens: 8_192 } } });
    await onboard(
      home,
      ["--api-base", model.url, "--model", "other", "--api-key-stdin", "--yes"],
      `${key}\n`,
    );
    expect(await readConfig(home)).toMatchObject({ agents: { defaults: { contextWindowTokens: 131_072 } } });
  });

  it("merges into a config that is there: other keys, unknown ones too, stay as they are", async () => {
    const model = await startLockedModel();
    const config = {
      agents: { defaults: { model: "old", temperature: 0.5, modelPreset: "p" } },
      modelPresets: { p: { model: "x" } },
      providers: { deepseek: { apiKey: "sk-other-123456" } },
      futureKey: { a: 1 },
    };
    const home = await createProgramHome(config, { MY_KEY: key });
    const flags = ["--api-base", model.url, "--model", "new", "--api-key-env", "MY_KEY", "--yes"];
    expect((await onboard(home, flags)).code).toBe(0);
    expect(await readConfig(home)).toEqual({
      agents: { defaults: { model: "new", temperature: 0.5, provider: "custom" } },
      modelPresets: { p: { model: "x" } },
      providers: {
        deepseek: { apiKey: "sk-other-123456" },
        custom: { apiKey: `\${MY_KEY}`, apiBase: model.url },
      },
      futureKey: { a: 1 },
    });
  });

  it("changes nothing when the trial fails, unless there is to be none", async () => {
    const model = await startLockedModel();
    const home = await createProgramHome();
    const flags = ["--api-base", model.url, "--model", "m", "--api-key-stdin", "--yes"];
    const failed = await onboard(home, flags, "sk-wrong-0123456789\n");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(like(words.onboard.trialFailed(anything)));
    expect(failed.stderr).not.toContain("sk-wrong-0123456789");
    expect(await isThere(join(home.home, "config.json"))).toBe(false);
    expect(await isThere(home.workspace)).toBe(false);

    const kept = await onboard(home, [...flags, "--no-test"], "sk-wrong-0123456789\n");
    expect(kept.code).toBe(0);
    expect(model.requests).toHaveLength(1);
  });

  it("leaves a config alone that it cannot read", async () => {
    const home = await createProgramHome("{ broken");
    const { code, stderr } = await onboard(home, [
      "--provider",
      "ollama",
      "--model",
      "m",
      "--yes",
      "--no-test",
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(like(words.onboard.notSaved(anything)));
    expect(await readFile(join(home.home, "config.json"), "utf8")).toBe("{ broken");
  });

  it("repairs a config that only lacks variables, and names those that are still not set", async () => {
    const config = {
      agents: { defaults: { provider: "deepseek", model: "m" } },
      providers: { deepseek: { apiKey: `\${NOT_SET}`, apiBase: `\${ALSO_NOT_SET}` } },
    };
    const home = await createProgramHome(config, { MY_KEY: key });
    const flags = ["--provider", "deepseek", "--model", "n", "--yes", "--no-test"];
    const half = await onboard(home, [...flags, "--api-key-env", "MY_KEY"]);
    expect(half.code).toBe(0);
    expect(half.stderr).toContain(
      sentence("config.variable-not-set", { variable: "ALSO_NOT_SET", effect: "empty" }),
    );
    const whole = await onboard(home, [
      ...flags,
      "--api-key-env",
      "MY_KEY",
      "--api-base",
      "http://127.0.0.1:1",
    ]);
    expect(whole.code).toBe(0);
    expect(whole.stderr).not.toContain("not set");
    expect(await readConfig(home)).toEqual({
      agents: { defaults: { provider: "deepseek", model: "n" } },
      providers: { deepseek: { apiKey: `\${MY_KEY}`, apiBase: "http://127.0.0.1:1" } },
    });
  });

  it("says so when the variable of the key is not set yet", async () => {
    const home = await createProgramHome();
    const flags = ["--provider", "deepseek", "--yes", "--no-test", "--api-key-env", "NOT_SET"];
    const { code, stderr } = await onboard(home, flags);
    expect(code).toBe(0);
    expect(stderr).toContain(sentence("config.variable-not-set", { variable: "NOT_SET", effect: "empty" }));
    expect(await readConfig(home)).toMatchObject({ providers: { deepseek: { apiKey: `\${NOT_SET}` } } });
  });

  it("writes the home of --config and the workspace of --workspace", async () => {
    const home = await createProgramHome();
    const config = join(home.home, "other", "my.json");
    const workspace = join(home.home, "elsewhere");
    const flags = [
      "--provider",
      "ollama",
      "--model",
      "m",
      "--yes",
      "--no-test",
      "--config",
      config,
      "-w",
      workspace,
    ];
    expect((await onboard(home, flags)).code).toBe(0);
    expect(JSON.parse(await readFile(config, "utf8"))).toEqual({
      agents: { defaults: { provider: "ollama", model: "m", workspace } },
    });
    expect(await isThere(join(workspace, "AGENTS.md"))).toBe(true);
  });
});

describe("nanobot onboard", () => {
  it("asks nothing where there is no terminal, and says what to use", async () => {
    const { code, stderr } = await onboard(await createProgramHome(), []);
    expect(code).toBe(2);
    expect(stderr).toContain(words.onboard.needsTerminal);
  });

  it("asks for what no flag says, lets a wrong key be corrected, and shows none", async () => {
    const model = await startLockedModel();
    const home = await createProgramHome();
    const program = openInTerminal(nanobot("onboard", "--api-base", model.url), { env: home.env });
    await program.waitFor(words.onboard.askOptionalKey("custom"));
    program.type(`sk-wrong-0123456789${keys.enter}`);
    await program.waitFor(words.onboard.askModel);
    program.type(`test-model${keys.enter}`);
    await program.waitFor(words.onboard.afterFailure);
    program.type(keys.enter);
    await program.waitFor(words.onboard.askOptionalKey("custom"));
    program.type(key + keys.enter);
    await program.waitFor(words.onboard.works(anything).split(anything)[0] ?? "");
    expect(await program.ended).toBe(0);
    expect(program.raw()).not.toContain("sk-wrong");
    expect(program.raw()).not.toContain(key);
    expect(await readConfig(home)).toMatchObject({
      agents: { defaults: { provider: "custom", model: "test-model" } },
      providers: { custom: { apiKey: key } },
    });
  });

  it("changes nothing when it is left in the middle", async () => {
    const home = await createProgramHome();
    const program = openInTerminal(nanobot("onboard"), { env: home.env });
    await program.waitFor(words.onboard.chooseHost);
    program.type(keys.ctrlC);
    expect(await program.ended).toBe(130);
    expect(program.text()).toContain(words.onboard.cancelled);
    expect(await isThere(join(home.home, "config.json"))).toBe(false);
    expect(await isThere(home.workspace)).toBe(false);
  });
});

describe("nanobot status", () => {
  async function report(home: ProgramHome, ...argv: string[]): Promise<Ended> {
    return typeHere(["status", ...argv], home.env);
  }

  it("tells which model answers and why, and what to do next", async () => {
    const empty = await report(await createProgramHome());
    expect(empty.code).toBe(0);
    expect(empty.stdout).toContain(words.status.demo);
    expect(empty.stdout).toContain(words.status.nextOnboard);
    const found = await report(await createProgramHome(undefined, { ANTHROPIC_API_KEY: key }));
    expect(found.stdout).toContain("ANTHROPIC_API_KEY");
    expect(found.stdout).not.toContain(key);
  });

  it("is one JSON value with --json, without any key, and counts conversations", async () => {
    const model = await startFakeModel(() => ({ text: "ok" }));
    const home = await createProgramHome(configFor(model.url));
    await typeHere(["agent", "-m", "hi"], home.env);
    const { code, stdout } = await report(home, "--json");
    expect(code).toBe(0);
    expect(stdout).not.toContain("sk-test");
    expect(JSON.parse(stdout)).toMatchObject({
      config: { source: "file", problems: [] },
      workspace: { path: home.workspace, isThere: true },
      model: { name: "test-model", key: "present", isOffline: false },
      protection: { isRestricted: true },
      sessions: 1,
      isReady: true,
    });
  });

  it("warns when files are not confined, and names what is wrong with a config", async () => {
    const confined = await report(await createProgramHome());
    expect(confined.stdout).toContain(words.status.restricted);
    const open = await report(
      await createProgramHome(undefined, { NANOBOT_TOOLS__RESTRICT_TO_WORKSPACE: "false" }),
    );
    expect(open.stdout).toContain(words.status.unrestricted);
    const broken = await report(await createProgramHome({ agents: { defaults: { maxTokens: "many" } } }));
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("agents.defaults.maxTokens");
    const chosen = await report(await createProgramHome({ agents: { defaults: { model: "deepseek/x" } } }));
    expect(chosen.code).toBe(1);
    expect(chosen.stdout).toContain("DEEPSEEK_API_KEY");
  });
});
