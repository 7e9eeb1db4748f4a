import { describe, expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { findLocalServers } from "../../api/models/host-models.ts";
import { type Plan, toConfigPatch, toTrialInput } from "../../api/models/plan.ts";
import { type Trial, tryBothSides } from "../../api/models/try-model.ts";
import { loadConfig } from "../../config/load.ts";
import { phrase } from "../../i18n/phrase.ts";
import { createWords } from "../../i18n/words.ts";
import { chooseModel } from "../../llm/choice/choose-model.ts";
import type { Host } from "../../llm/hosts/host.ts";
import { findHost, knownHosts } from "../../llm/hosts/hosts.ts";
import { resolveHome } from "../../storage/home.ts";
import type { OnboardOptions } from "../command-line/options.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { planFromFlags } from "./plan-from-flags.ts";

function host(name: string): Host {
  const found = findHost(name);
  if (found === undefined) throw new Error(`no host ${name}`);
  return found;
}

async function load(config?: unknown, env: NodeJS.ProcessEnv = {}) {
  const home = await createTemporaryFolder(
    config === undefined ? {} : { "config.json": JSON.stringify(config) },
  );
  const paths = resolveHome({ env: { NANOBOT_HOME: home } });
  const loaded = await loadConfig({ home: paths, env });
  if (!loaded.ok) throw new Error("the config of this test is broken");
  return loaded;
}

interface Given {
  options?: Partial<OnboardOptions>;
  env?: NodeJS.ProcessEnv;
  config?: unknown;
  pipedKey?: string;
  local?: Record<string, string[]>;
}

async function plan({ options, env = {}, config, pipedKey, local = {} }: Given): Promise<Plan> {
  return planFromFlags({
    options: { test: true, yes: true, ...options },
    env,
    words: createWords("english"),
    loaded: await load(config, env),
    ...(pipedKey !== undefined && { pipedKey }),
    findServers: async () => Object.entries(local).map(([name, models]) => ({ host: host(name), models })),
  });
}

describe("a plan without questions", () => {
  it("takes the host, the model and the key of the flags", async () => {
    const options = { provider: "deepseek", model: "deepseek-x", apiKeyEnv: "MY_KEY" };
    expect(await plan({ options })).toEqual({
      host: host("deepseek"),
      model: "deepseek-x",
      key: { kind: "variable", variable: "MY_KEY" },
    });
  });

  it("finds a key in the environment, and the usual model of its host", async () => {
    const { host: found, model, key } = await plan({ env: { ANTHROPIC_API_KEY: "sk-ant-x" } });
    expect(found.name).toBe("anthropic");
    expect(model).toBe(host("anthropic").defaultModel);
    expect(key).toEqual({ kind: "environment", variable: "ANTHROPIC_API_KEY" });
  });

  it("knows whose key it is by its beginning", async () => {
    const { host: found, key } = await plan({ pipedKey: "sk-or-v1-abc" });
    expect(found.name).toBe("openrouter");
    expect(key).toEqual({ kind: "value", value: "sk-or-v1-abc" });
  });

  it("takes a model that runs on this machine when there is nothing else", async () => {
    const { host: found, model, key } = await plan({ local: { ollama: ["qwen3:8b", "other"] } });
    expect([found.name, model, key.kind]).toEqual(["ollama", "qwen3:8b", "none"]);
  });

  it("makes a host of the user's own from a name and an address", async () => {
    const options = { provider: "my-proxy", apiBase: "http://127.0.0.1:9/v1", model: "m" };
    const made = await plan({ options });
    expect([made.host.name, made.apiBase, made.key.kind]).toEqual([
      "my-proxy",
      "http://127.0.0.1:9/v1",
      "none",
    ]);
  });

  it("keeps the key that the config has already", async () => {
    const config = { providers: { deepseek: { apiKey: "sk-1234567890" } } };
    expect((await plan({ options: { provider: "deepseek" }, config })).key).toEqual({ kind: "none" });
  });

  it.each<[string, Given, string]>([
    ["no host", {}, words.onboard.needsHost],
    [
      "an unknown host",
      { options: { provider: "antropic" } },
      words.onboard.unknownHost("antropic", "anthropic"),
    ],
    ["a missing key", { options: { provider: "openai" } }, "OPENAI_API_KEY"],
    ["a missing model", { options: { provider: "ollama" } }, words.onboard.needsModel("Ollama")],
    ["a missing address", { options: { provider: "vllm", model: "m" } }, words.onboard.needsAddress("vLLM")],
    [
      "an address that is none",
      { options: { apiBase: "localhost:1", model: "m" } },
      words.onboard.wrongAddress,
    ],
    ["two sources of a key", { options: { apiKeyEnv: "A", apiKeyStdin: true } }, words.onboard.twoKeys],
    ["a key where a name belongs", { options: { apiKeyEnv: "sk-secret-1234" } }, words.onboard.wrongVariable],
  ])("is refused for %s, with the flag to use", async (_, given, hint) => {
    const failure = await plan(given).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(hint) });
    expect(String(failure)).not.toContain("sk-secret");
  });
});

describe("what onboarding writes", () => {
  it("names the variable of a key, or the key itself, and nothing that the environment gives on its own", () => {
    const base = { host: host("lm_studio"), model: "m", apiBase: "http://127.0.0.1:1/v1" };
    expect(toConfigPatch({ ...base, key: { kind: "variable", variable: "K" } })).toEqual({
      agents: { defaults: { provider: "lm_studio", model: "m", modelPreset: null } },
      providers: { lmStudio: { apiKey: `\${K}`, apiBase: "http://127.0.0.1:1/v1" } },
    });
    const fromEnvironment: Plan = {
      host: host("openai"),
      model: "m",
      key: { kind: "environment", variable: "K" },
    };
    expect(toConfigPatch(fromEnvironment, "/somewhere")).toEqual({
      agents: { defaults: { provider: "openai", model: "m", modelPreset: null, workspace: "/somewhere" } },
    });
  });

  it("is tried as it will be written, over a preset and with the host's other settings", async () => {
    const loaded = await load({
      agents: { defaults: { modelPreset: "p" } },
      modelPresets: { p: { model: "openai/gpt-x" } },
      providers: { deepseek: { apiKey: "old-key-1234", extraHeaders: { "x-a": "b" } } },
    });
    const wanted: Plan = {
      host: host("deepseek"),
      model: "deepseek-y",
      key: { kind: "value", value: "new-key" },
    };
    const chosen = chooseModel(toTrialInput(wanted, loaded, {}));
    expect(chosen).toMatchObject({
      ok: true,
      choice: { model: "deepseek-y", access: { apiKey: "new-key", extraHeaders: { "x-a": "b" } } },
    });
  });
});

describe("a vendor with two endpoints", () => {
  const problem = phrase("choice.no-config");
  const rejected: Trial = { ok: false, kind: "authentication", problem };
  const wanted: Plan = {
    host: host("moonshot"),
    model: "kimi",
    key: { kind: "environment", variable: "MOONSHOT_API_KEY" },
  };

  it("is tried on the other side when the first one rejects the key", async () => {
    const asked: string[] = [];
    const result = await tryBothSides(wanted, async (plan) => {
      asked.push(plan.host.name);
      return plan.host.name === "moonshot_cn" ? { ok: true, ms: 5 } : rejected;
    });
    expect(asked).toEqual(["moonshot", "moonshot_cn"]);
    expect(result.plan).toMatchObject({
      host: { name: "moonshot_cn" },
      key: { kind: "variable", variable: "MOONSHOT_API_KEY" },
    });
  });

  it("stays with the first one when both reject it, and when the trouble is another", async () => {
    expect(await tryBothSides(wanted, async () => rejected)).toEqual({ trial: rejected, plan: wanted });
    const asked: string[] = [];
    await tryBothSides(wanted, async (plan) => {
      asked.push(plan.host.name);
      return { ok: false, kind: "connection", problem };
    });
    expect(asked).toEqual(["moonshot"]);
  });
});

describe("servers on this machine", () => {
  const on = (baseUrl: string): Host => ({ ...host("ollama"), baseUrl });

  it("are found with their models; silent and foreign ones are not", async () => {
    await using good = await startWireServer({
      headers: { "content-type": "application/json" },
      chunks: JSON.stringify({ data: [{ id: "qwen3:8b" }, { id: 5 }, null, { id: "" }] }),
    });
    await using foreign = await startWireServer({
      headers: { "content-type": "text/html" },
      chunks: "<html>",
    });
    await using silent = await startWireServer({ end: "hold" });
    const { signal } = new AbortController();
    const hosts = [on(`${good.url}/v1`), on(foreign.url), on("http://127.0.0.1:1")];
    const found = await findLocalServers(hosts, signal, 30_000);
    expect(found.map(({ models }) => models)).toEqual([["qwen3:8b"]]);
    expect(await findLocalServers([on(silent.url)], signal)).toEqual([]);
    expect(good.requests[0]?.url).toBe("/v1/models");
  });

  it("are looked for only among those that have a usual port here", () => {
    const ports = knownHosts
      .filter(({ kind, baseUrl }) => kind === "local" && baseUrl)
      .map(({ name }) => name);
    expect(ports).toContain("ollama");
    expect(ports).toContain("lm_studio");
  });
});
