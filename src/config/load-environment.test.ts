import { describe, expect, test } from "vitest";
import { asFailed, asLoaded, createConfigHome, toLines } from "../../test/support/config-home.ts";
import { nothing } from "../llm/config.ts";
import { configSchema } from "./schema.ts";

const reference = (name: string) => `\${${name}}`;

describe("environment variables for config keys", () => {
  test("fill what the file does not set, cast to the key's type", async () => {
    const home = await createConfigHome({ api: { port: 1 } });
    const { config } = asLoaded(
      await home.load({
        NANOBOT_API__PORT: "2",
        NANOBOT_API__TIMEOUT: "7.5",
        NANOBOT_AGENTS__DEFAULTS__MAX_TOKENS: "100",
        NANOBOT_AGENTS__DEFAULTS__MODEL: "123",
        NANOBOT_TOOLS__WEB__ENABLE: "false",
        NANOBOT_AGENTS__DEFAULTS__SESSION_TTL_MINUTES: "9",
      }),
    );
    expect(config.api).toMatchObject({ port: 1, timeout: 7.5 });
    expect(config.agents.defaults).toMatchObject({
      maxTokens: 100,
      model: "123",
      idleCompactAfterMinutes: 9,
    });
    expect(config.tools.web.enable).toBe(false);
  });

  test("lists and whole sections are JSON, and the more exact variable wins", async () => {
    const home = await createConfigHome({ tools: { exec: { deny: ["dd"] } } });
    const { config } = asLoaded(
      await home.load({
        NANOBOT_TOOLS: '{"exec":{"deny":["rm"],"allow":["ls"],"path_append":"/a"}}',
        NANOBOT_TOOLS__EXEC__PATH_APPEND: "/b",
        NANOBOT_AGENTS__DEFAULTS__DISABLED_SKILLS: '["weather"]',
      }),
    );
    expect(config.tools.exec).toMatchObject({ deny: ["dd"], allow: ["ls"], pathAppend: "/b" });
    expect(config.agents.defaults.disabledSkills).toEqual(["weather"]);
  });

  test("names chosen by the user: hosts, channels, servers and their variables", async () => {
    const home = await createConfigHome({ providers: { lmStudio: { apiBase: "http://127.0.0.1:1/v1" } } });
    const { config } = asLoaded(
      await home.load({
        NANOBOT_PROVIDERS__LM_STUDIO__API_KEY: "k1",
        NANOBOT_PROVIDERS__OPENROUTER__API_KEY: "k2",
        NANOBOT_CHANNELS__TELEGRAM__ALLOW_FROM: '["1"]',
        NANOBOT_CHANNELS__TELEGRAM__TOKEN: "12345",
        NANOBOT_TOOLS__MCP_SERVERS__FILES__ENV__Mixed_CASE: "v",
      }),
    );
    expect(config.providers.lmStudio).toMatchObject({ apiBase: "http://127.0.0.1:1/v1", apiKey: "k1" });
    expect(config.providers.openrouter?.apiKey).toBe("k2");
    expect(config.channels.telegram).toEqual({ allowFrom: ["1"], token: "12345" });
    expect(config.tools.mcpServers.files?.env).toEqual({ Mixed_CASE: "v" });
  });

  test("an unknown one is a warning, and the program's other variables are left alone", async () => {
    const load = asLoaded(
      await (await createConfigHome()).load({
        NANOBOT_API__PROT: "1",
        NANOBOT_NOTHING__AT_ALL: "1",
        NANOBOT_HOME: "/x",
        NANOBOT_DEBUG: "1",
        NANOBOT_CHANNELS: "telegram,slack",
        NANOBOT_API_URL: "http://x",
        NANOBOT_API__PORT: "",
      }),
    );
    expect(load.config.api.port).toBe(8900);
    expect(toLines(load.warnings).sort()).toEqual([
      "NANOBOT_API__PROT config.unknown-key port",
      "NANOBOT_NOTHING__AT_ALL config.unknown-key",
    ]);
  });

  test("a wrong one is a problem that names it, and not its value", async () => {
    const home = await createConfigHome({});
    const { problems } = asFailed(
      await home.load({ NANOBOT_API__PORT: "canary", NANOBOT_TOOLS__EXEC__DENY: "canary" }),
    );
    expect(toLines(problems).sort()).toEqual([
      "api.port config.from-variable config.wrong-type number text NANOBOT_API__PORT",
      "tools.exec.deny config.variable-not-json NANOBOT_TOOLS__EXEC__DENY false",
    ]);
  });

  test("one that is no JSON is left out and named, unless something would be allowed without it", async () => {
    const home = await createConfigHome({});
    const load = asLoaded(await home.load({ NANOBOT_TOOLS__SSRF_WHITELIST: "canary" }));
    expect(toLines(load.warnings)).toEqual([
      "tools.ssrfWhitelist config.variable-not-json NANOBOT_TOOLS__SSRF_WHITELIST true",
    ]);
  });

  test("JSON of any depth is taken or refused", async () => {
    const deep = `{"exec":{"allow":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`;
    const home = await createConfigHome({});
    const { problems } = asFailed(await home.load({ NANOBOT_TOOLS: deep, NANOBOT_CHANNELS__X__Y: deep }));
    expect(toLines(problems)).toEqual(["tools config.variable-not-json NANOBOT_TOOLS false"]);
  });

  test.each([
    ["5", 5],
    ["0", 0],
    ["-1", 0],
  ])("the Python original's limit of requests, %s, is ours of turns", async (text, turns) => {
    const load = asLoaded(await (await createConfigHome()).load({ NANOBOT_MAX_CONCURRENT_REQUESTS: text }));
    expect(load.config.agents.defaults.maxConcurrentTurns).toBe(turns);
  });
});

describe("references to variables in strings", () => {
  test("are resolved, more than one in a text, and also where a number is meant", async () => {
    const home = await createConfigHome({
      providers: {
        my: { apiKey: reference("KEY"), apiBase: `http://${reference("HOST_NAME")}:${reference("PORT")}/v1` },
      },
      api: { port: reference("PORT") },
      agents: { defaults: { botName: "costs $5 {x} $KEY" } },
    });
    const { config } = asLoaded(await home.load({ KEY: "k", HOST_NAME: "h", PORT: "81" }));
    expect(config.providers.my).toMatchObject({ apiKey: "k", apiBase: "http://h:81/v1" });
    expect(config.api.port).toBe(81);
    expect(config.agents.defaults.botName).toBe("costs $5 {x} $KEY");
  });

  test("are not resolved a second time", async () => {
    const home = await createConfigHome({ api: { apiKey: reference("A") } });
    const { config } = asLoaded(await home.load({ A: reference("B"), B: "b" }));
    expect(config.api.apiKey).toBe(reference("B"));
  });

  test("each missing one is named with its place, counts as empty, and opens nothing", async () => {
    const home = await createConfigHome({
      providers: { openai: { apiKey: reference("NO_KEY") } },
      api: { apiKey: `${reference("NO_ONE")}${reference("NO_TWO")}`, port: reference("NO_PORT") },
    });
    const { warnings, config } = asLoaded(await home.load());
    expect(config.providers.openai?.apiKey).toBeFalsy();
    expect(config.api.port).toBe(configSchema.parse({}).api.port);
    // Nobody can show it, and the API is not open without one.
    expect(config.api.apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect(toLines(warnings)).toEqual([
      "providers.openai.apiKey config.variable-not-set NO_KEY empty",
      "api.apiKey config.variable-not-set NO_ONE empty",
      "api.apiKey config.variable-not-set NO_TWO empty",
      "api.port config.variable-not-set NO_PORT empty",
    ]);
  });

  test("in what may never be used a missing one counts as empty, with a warning", async () => {
    const home = await createConfigHome({
      agents: { defaults: { model: "openai/gpt-5", fallbackModels: [{ model: "groq/x" }] } },
      providers: { openai: { apiKey: "k" }, deepseek: { apiKey: reference("GONE") } },
      channels: { slack: { enabled: false, botToken: reference("GONE") } },
      tools: {
        web: { search: { apiKey: reference("GONE") } },
        mcpServers: {
          files: { command: "x", env: { A: reference("GONE") }, headers: { B: reference("GONE") } },
        },
      },
    });
    const load = asLoaded(await home.load());
    expect(toLines(load.warnings)).toEqual([
      "providers.deepseek.apiKey config.variable-not-set GONE empty",
      "channels.slack.botToken config.variable-not-set GONE empty",
      "tools.web.search.apiKey config.variable-not-set GONE empty",
      "tools.mcpServers.files.env.A config.variable-not-set GONE empty",
      "tools.mcpServers.files.headers.B config.variable-not-set GONE empty",
    ]);
  });

  test("what cannot be without a missing one is switched off", async () => {
    const home = await createConfigHome({
      agents: { defaults: { provider: "lm_studio", fallbackModels: [{ model: "groq/x" }] } },
      modelPresets: { other: { model: "m", provider: "mistral" } },
      providers: {
        lmStudio: { apiKey: reference("GONE") },
        groq: { apiKey: reference("GONE") },
        mistral: { apiKey: reference("GONE") },
        unnamed: { proxy: reference("GONE") },
      },
      channels: { websocket: { token: reference("GONE") } },
      tools: { web: { proxy: reference("GONE") }, mcpServers: { files: { args: [reference("GONE")] } } },
    });
    const { config, warnings } = asLoaded(await home.load());
    expect(Object.keys(config.providers)).toEqual(["lmStudio", "groq", "mistral"]);
    expect(config.channels).toMatchObject({ websocket: { enabled: false } });
    expect(config.tools.web.enable).toBe(false);
    expect(config.tools.mcpServers).toEqual({});
    expect(warnings.map(({ path }) => path)).toEqual([
      "providers.lmStudio.apiKey",
      "providers.groq.apiKey",
      "providers.mistral.apiKey",
      "providers.unnamed.proxy",
      "channels.websocket.token",
      "tools.web.proxy",
      "tools.mcpServers.files.args[0]",
    ]);
  });

  test.each(["deny", "denyPatterns", "allowPatterns"])(
    "commands are off when one of tools.exec.%s is missing",
    async (rules) => {
      const exec = { [rules]: ["x", reference("GONE")], allow: [reference("GONE"), "ls"] };
      const { config, warnings } = asLoaded(await (await createConfigHome({ tools: { exec } })).load());
      expect(config.tools.exec).toMatchObject({ enable: false, allow: ["ls"] });
      expect(warnings.map(({ path }) => path)).toEqual([`tools.exec.${rules}[1]`, "tools.exec.allow[0]"]);
    },
  );

  test("nothing may be spent where the number of a limit is missing; other limits stay", async () => {
    const budget = {
      turn: { tokens: reference("GONE") },
      month: { money: reference("GONE") },
      people: { ann: { day: { tokens: `${reference("GONE")}000` } } },
      warnAt: reference("GONE"),
    };
    const { config } = asLoaded(await (await createConfigHome({ budget })).load());
    const usual = configSchema.parse({}).budget;
    expect(config.budget).toEqual({
      ...usual,
      turn: { tokens: nothing },
      month: { money: nothing },
      people: { ann: { day: { tokens: nothing }, month: {} } },
    });
    const whole = await createConfigHome({ budget: reference("GONE") });
    expect(asFailed(await whole.load()).problems.map(({ path }) => path)).toEqual(["budget"]);
  });

  test("under an unknown key they do not matter", async () => {
    const home = await createConfigHome({
      notes: { text: reference("GONE") },
      agents: { defaults: { fallbackModels: [{ model: "m", note: reference("GONE") }] } },
    });
    expect(toLines(asLoaded(await home.load()).warnings)).toEqual([
      "notes config.unknown-key",
      "agents.defaults.fallbackModels[0].note config.unknown-key",
    ]);
  });
});
