import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  asFailed,
  asLoaded,
  createConfigHome,
  createOwnHome,
  toLines,
} from "../../test/support/config-home.ts";
import { configSchema } from "./schema.ts";

describe("loading", () => {
  test("no file gives the defaults, with the workspace in the home", async () => {
    const home = await createConfigHome();
    const load = asLoaded(await home.load());
    const expected = configSchema.parse({});
    expected.agents.defaults.workspace = home.paths.workspace;
    expect(load.config).toEqual(expected);
    expect(load).toMatchObject({ source: "defaults", warnings: [], problems: [] });
  });

  test("the safe settings are the default: confined, sandboxed where possible, asking, on loopback", async () => {
    const { config } = asLoaded(await (await createConfigHome()).load());
    expect(config.tools.restrictToWorkspace).toBe(true);
    expect(config.tools.exec.sandbox).toBe("auto");
    expect(config.tools.approval).toBe("ask");
    expect([config.api.host, config.gateway.host]).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(config.tools.web.fetch.useJinaReader).toBe(false);
  });

  test("camelCase and snake_case are the same key", async () => {
    const home = await createConfigHome({
      agents: { defaults: { max_tool_iterations: 7, botName: "Mimi", dream: { interval_h: 5 } } },
      model_presets: { fast_one: { model: "m", max_tokens: 99 } },
      providers: { my_host: { api_key: "k", extra_headers: { x_custom_header: "1" } } },
      tools: { mcp_servers: { my_server: { env: { SOME_KEY: "v", lower_key: "w" }, tool_timeout: 3 } } },
    });
    const { config, warnings } = asLoaded(await home.load());
    expect(warnings).toEqual([]);
    expect(config.agents.defaults).toMatchObject({
      maxToolIterations: 7,
      botName: "Mimi",
      dream: { intervalH: 5 },
    });
    expect(config.modelPresets.fast_one?.maxTokens).toBe(99);
    expect(config.providers.my_host).toMatchObject({ apiKey: "k", extraHeaders: { x_custom_header: "1" } });
    expect(config.tools.mcpServers.my_server).toMatchObject({
      env: { SOME_KEY: "v", lower_key: "w" },
      toolTimeout: 3,
    });
  });

  test("older names and places still count, and the present one wins over them", async () => {
    const home = await createOwnHome({
      agents: { defaults: { sessionTtlMinutes: 30, dream: { model: "quick" } } },
      modelPresets: { quick: { model: "m" } },
      tools: { exec: { restrictToWorkspace: false }, my_enabled: false, mySet: true, my: { enable: true } },
      channels: { transcriptionProvider: "openai", extractDocumentText: true },
    });
    const { config, warnings } = asLoaded(await home.load());
    expect(warnings).toEqual([]);
    expect(config.agents.defaults.idleCompactAfterMinutes).toBe(30);
    expect(config.agents.defaults.dream.modelOverride).toBe("quick");
    expect(config.tools.restrictToWorkspace).toBe(false);
    expect(config.tools.my).toEqual({ enable: true, allowSet: true });
    expect(config.transcription.provider).toBe("openai");
  });

  test("MCP servers are understood as other clients write them, and at the top of the file", async () => {
    const home = await createOwnHome({
      mcpServers: {
        windsurf: { serverUrl: "https://a.example/mcp", disabled: "true" },
        code: { type: "http", url: "https://b.example/mcp" },
        other: {
          transport: "sse",
          httpUrl: "https://c.example",
          headers: { Authorization: "Bearer abcdefgh" },
        },
      },
      tools: { mcp_servers: { own: { command: "x", args: ["--api-key", "canary-123"], tool_timeout: 5 } } },
    });
    const { config, warnings, secrets } = asLoaded(await home.load());
    expect(warnings).toEqual([]);
    expect(config.tools.mcpServers).toMatchObject({
      windsurf: { url: "https://a.example/mcp", disabled: true },
      code: { type: "http", url: "https://b.example/mcp" },
      other: { type: "sse", url: "https://c.example" },
      own: { command: "x", toolTimeout: 5 },
    });
    expect(secrets).toEqual(expect.arrayContaining(["Bearer abcdefgh", "abcdefgh", "canary-123"]));
  });

  test("a key in both spellings is used once, with a warning", async () => {
    const home = await createConfigHome({ api: { api_key: "old", apiKey: "new" } });
    const load = asLoaded(await home.load());
    expect(load.config.api.apiKey).toBe("new");
    expect(toLines(load.warnings)).toEqual(["api.api_key config.double-key apiKey"]);
  });

  test("an unknown key is a warning with the nearest known name", async () => {
    const home = await createConfigHome({ agents: { defaults: { modle: "x" } }, tols: {}, zzz: 1 });
    const load = asLoaded(await home.load());
    expect(toLines(load.warnings)).toEqual([
      "agents.defaults.modle config.unknown-key model",
      "tols config.unknown-key tools",
      "zzz config.unknown-key",
    ]);
  });

  test("a file full of unknown keys does not drown the terminal", async () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key number ${index}`, 1]));
    expect(asLoaded(await (await createConfigHome(keys)).load()).warnings).toHaveLength(50);
  });

  test("a name that looks like a secret, or would speak to the terminal, is not shown", async () => {
    const key = "sk-proj-abcdefghijklmnop1234";
    const load = asLoaded(await (await createConfigHome({ [key]: 1, "\u001b[2Jx": 1 })).load());
    expect(load.warnings.map(({ path }) => path)).toEqual(["<redacted>", "?[2Jx"]);
  });

  test("a channel's block is kept as it is, whatever its name", async () => {
    const block = { enabled: false, some_key: { deep_key: [1] } };
    const load = asLoaded(
      await (await createConfigHome({ channels: { carrier_pigeon: block, sendProgres: true } })).load(),
    );
    expect(load.config.channels.carrier_pigeon).toEqual(block);
    expect(load.warnings).toHaveLength(1);
    expect(load.warnings[0]).toMatchObject({ path: "channels.sendProgres" });
  });

  test("null, and empty text where there is no default, mean that nothing is set", async () => {
    const home = await createConfigHome({
      agents: { defaults: { modelPreset: null, reasoningEffort: "", temperature: null } },
      providers: { openai: { apiKey: null, apiBase: "", extraHeaders: null }, groq: null },
      gateway: null,
    });
    const { config, isSet } = asLoaded(await home.load());
    expect(config.agents.defaults).toMatchObject({ temperature: 0.1 });
    expect(config.agents.defaults.reasoningEffort).toBeUndefined();
    expect(config.providers).toEqual({ openai: { apiType: "auto" } });
    expect(["agents.defaults.modelPreset", "providers.openai.apiBase", "gateway"].map(isSet)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("numbers and truths in quotes are understood, as the Python original does", async () => {
    const home = await createConfigHome({
      api: { port: " 9000 ", timeout: "1.5" },
      tools: { web: { enable: "no" }, file: { enable: 0 } },
    });
    const { config } = asLoaded(await home.load());
    expect(config.api).toMatchObject({ port: 9000, timeout: 1.5 });
    expect([config.tools.web.enable, config.tools.file.enable]).toEqual([false, false]);
  });

  test("isSet tells what the user said from what is a default", async () => {
    const home = await createConfigHome({ agents: { defaults: { bot_name: "nanobot" } } });
    const { isSet } = asLoaded(await home.load({ NANOBOT_API__PORT: "1" }));
    expect(isSet("agents.defaults.botName")).toBe(true);
    expect(isSet("agents.defaults.model")).toBe(false);
    expect(isSet("api.port")).toBe(true);
    expect(isSet("api.host")).toBe(false);
  });

  test("the workspace: as given, from the home when relative, and from the command line above all", async () => {
    const workspaceOf = async (given: string | undefined, override?: string) => {
      const home = await createConfigHome({ agents: { defaults: { workspace: given ?? null } } });
      const { config } = asLoaded(await home.load({ HOME: "/home/someone" }, override));
      return config.agents.defaults.workspace.replace(home.paths.home, "<home>");
    };
    expect(await workspaceOf("~/ws")).toBe("/home/someone/ws");
    expect(await workspaceOf("ws")).toBe(join("<home>", "ws"));
    expect(await workspaceOf(undefined)).toBe(join("<home>", "workspace"));
    expect(await workspaceOf("~/ws", "/elsewhere")).toBe("/elsewhere");
  });

  test("the time zone is the system's unless the user gives one", async () => {
    const zoneOf = async (defaults: object) => {
      const { config } = asLoaded(await (await createConfigHome({ agents: { defaults } })).load());
      return config.agents.defaults.timezone;
    };
    expect(await zoneOf({})).toBeUndefined();
    expect(await zoneOf({ timezone: "Asia/Shanghai" })).toBe("Asia/Shanghai");
    expect(await zoneOf({ timezone: "UTC", timezoneMode: "auto" })).toBeUndefined();
  });

  test("a byte order mark does no harm", async () => {
    const load = asLoaded(await (await createConfigHome('\ufeff{"api":{"port":1}}')).load());
    expect(load.config.api.port).toBe(1);
  });

  test("a key named __proto__ reaches no prototype", async () => {
    const text =
      '{"__proto__":{"polluted":1},"providers":{"__proto__":{"apiKey":"x"}},"agents":{"__proto__":{"defaults":1}}}';
    asLoaded(await (await createConfigHome(text)).load());
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("a broken config", () => {
  test("tells all problems at once, each with its place and reason", async () => {
    const home = await createConfigHome({
      agents: {
        defaults: {
          temperature: 5,
          maxTokens: 0,
          provider: "",
          fallbackModels: [{ provider: "x" }, 7, "nowhere"],
          timezone: "Mars/Olympus",
        },
      },
      api: { port: "many", timeout: [] },
      providers: { openai: "key" },
      tools: { approval: "maybe", exec: { allow: "ls", deny: [null] } },
      transcription: { language: "English", maxUploadMb: 1.5 },
      gateway: { heartbeat: { target: "nowhere" } },
    });
    const { problems, warnings } = asFailed(await home.load());
    expect(toLines(warnings)).toEqual(
      expect.arrayContaining([
        "agents.defaults.temperature config.uses-default config.too-big 2 true false",
        "agents.defaults.maxTokens config.uses-default config.too-small 1 true false",
      ]),
    );
    expect(toLines(problems).sort()).toEqual([
      "agents.defaults.fallbackModels[0].model config.missing text",
      "agents.defaults.fallbackModels[1] config.wrong-type text-or-object number",
      "agents.defaults.fallbackModels[2] config.not-a-preset",
      "agents.defaults.provider config.empty",
      "agents.defaults.timezone config.bad-time-zone",
      "api.port config.wrong-type number text",
      "api.timeout config.wrong-type number list",
      "gateway.heartbeat.target config.bad-target",
      "providers.openai config.wrong-type object text",
      "tools.approval config.one-of ask,auto,off",
      "tools.exec.allow config.wrong-type list text",
      "tools.exec.deny[0] config.wrong-type text null",
      "transcription.language config.bad-language",
      "transcription.maxUploadMb config.wrong-type integer fraction",
    ]);
  });

  test("a preset that does not exist, and a time zone that does not exist", async () => {
    const home = await createConfigHome({
      agents: {
        defaults: {
          modelPreset: "a",
          fallbackModels: ["b", "known"],
          dream: { modelOverride: "c" },
          timezone: "Mars/Olympus",
        },
      },
      modelPresets: { known: { model: "m" }, default: { model: "m" } },
    });
    const { problems } = asFailed(await home.load());
    expect(problems.map(({ path }) => path)).toEqual([
      "agents.defaults.modelPreset",
      "agents.defaults.fallbackModels[0]",
      "agents.defaults.dream.modelOverride",
      "modelPresets.default",
      "agents.defaults.timezone",
    ]);
  });

  test.each([
    ["text that is no JSON", '{\n  "api": {,}\n}', "file.bad-json config.json 2 11 json.no-key"],
    ["an empty file", "", "file.bad-json config.json 1 1 json.empty"],
    ["a comment", "{\n  // mine\n}", "file.bad-json config.json 2 3 json.comment"],
    ["a list", "[1]", "file.not-object config.json"],
    ["null", "null", "file.not-object config.json"],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "file.not-utf8 config.json"],
    ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), "file.not-utf8 config.json"],
    ["endless nesting", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, "file.too-deep config.json 64"],
  ])("%s is told as one problem", async (_, content, sentence) => {
    const { problems } = asFailed(await (await createConfigHome(content)).load());
    expect(toLines(problems)).toEqual([sentence]);
  });

  test("a folder, a dangling link and a file of 5 MB in its place are told apart", async () => {
    const folder = await createConfigHome();
    await mkdir(folder.paths.config);
    expect(toLines(asFailed(await folder.load()).problems)).toEqual(["file.is-folder config.json"]);
    const link = await createConfigHome();
    await symlink(join(link.paths.home, "gone.json"), link.paths.config);
    expect(toLines(asFailed(await link.load()).problems)).toEqual(["file.broken-link config.json"]);
    const large = await createConfigHome("{}");
    await truncate(large.paths.config, 65 * 1024 * 1024);
    expect(toLines(asFailed(await large.load()).problems)).toEqual(["file.too-large config.json 64"]);
  });

  test.skipIf(process.getuid?.() === 0)("a file that may not be read names the reason", async () => {
    const home = await createConfigHome({});
    await chmod(home.paths.config, 0);
    expect(toLines(asFailed(await home.load()).problems)).toEqual(["file.unreadable config.json EACCES"]);
  });

  test("goes on with the last good copy, says so, and leaves the file alone", async () => {
    const home = await createConfigHome({ api: { port: 1234 } });
    asLoaded(await home.load());
    await writeFile(home.paths.config, '{"api": {"port": ');
    const load = asLoaded(await home.load());
    expect(load).toMatchObject({ source: "last-good", config: { api: { port: 1234 } } });
    expect(toLines(load.problems)).toEqual(["file.bad-json config.json 1 18 json.cut-short }"]);
    expect(toLines(load.warnings)[0]).toBe("config.last-good config.json config.last-good.json");
    expect(await home.readConfig()).toBe('{"api": {"port": ');
  });

  test("takes the default for a number that is out of range, and says so", async () => {
    const home = await createConfigHome({
      agents: { defaults: { idleCompactCheckIntervalSeconds: 0, maxTokens: 0 } },
      api: { port: -1 },
      gateway: { port: 4567 },
    });
    const load = asLoaded(await home.load());
    expect(load).toMatchObject({ source: "file", problems: [] });
    expect(load.config.gateway.port).toBe(4567);
    expect(load.config.api.port).toBe(configSchema.parse({}).api.port);
    expect(load.config.agents.defaults.idleCompactCheckIntervalSeconds).toBe(0);
    expect(toLines(load.warnings)).toEqual([
      "agents.defaults.maxTokens config.uses-default config.too-small 1 true false",
      expect.stringMatching(/^api\.port config.uses-default config.too-small \d true false$/),
    ]);
  });

  test("goes on with the last good copy also when a value is wrong", async () => {
    const home = await createConfigHome({ api: { port: 1234 } });
    asLoaded(await home.load());
    await writeFile(home.paths.config, '{"api": {"port": []}}');
    expect(asLoaded(await home.load())).toMatchObject({
      source: "last-good",
      config: { api: { port: 1234 } },
    });
  });

  test("fails with the file's problems when the copy is no better", async () => {
    const home = await createConfigHome("{", { "config.last-good.json": "also {" });
    expect(toLines(asFailed(await home.load()).problems)).toEqual([
      expect.stringContaining("file.bad-json config.json"),
    ]);
  });

  test("a file that was removed means defaults, not the last good copy", async () => {
    const home = await createConfigHome({ api: { port: 1234 } });
    asLoaded(await home.load());
    await rm(home.paths.config);
    expect(asLoaded(await home.load())).toMatchObject({
      source: "defaults",
      config: { api: { port: 8900 } },
    });
  });

  test("the copy is private and follows the file", async () => {
    const home = await createConfigHome({ api: { apiKey: "one" } });
    asLoaded(await home.load());
    expect((await stat(home.paths.lastGood)).mode & 0o777).toBe(0o600);
    const first = await stat(home.paths.lastGood);
    asLoaded(await home.load());
    expect((await stat(home.paths.lastGood)).ino).toBe(first.ino);
    await writeFile(home.paths.config, '{"api":{"apiKey":"two"}}');
    asLoaded(await home.load());
    expect(await readFile(home.paths.lastGood, "utf8")).toBe('{"api":{"apiKey":"two"}}');
  });

  test("a copy that cannot be written is a warning", async () => {
    const home = await createConfigHome({});
    await mkdir(home.paths.lastGood);
    expect(toLines(asLoaded(await home.load()).warnings)).toEqual([
      expect.stringContaining("config.copy-not-written"),
    ]);
  });
});
