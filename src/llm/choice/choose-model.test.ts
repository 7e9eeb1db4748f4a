import { describe, expect, it } from "vitest";
import { sentence } from "../../../test/support/english.ts";
import { itSays } from "../../../test/support/wording.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { type ModelDefaults, modelDefaultsSchema, modelPresetsSchema, providersSchema } from "../config.ts";
import {
  type ChooseModelInput,
  type ChooseModelResult,
  chooseModel,
  phraseModelProblem,
} from "./choose-model.ts";

interface Given {
  defaults?: Partial<Record<keyof ModelDefaults, unknown>>;
  presets?: Record<string, unknown>;
  providers?: Record<string, unknown>;
  environment?: Record<string, string>;
  hasConfig?: boolean;
}

/** The input as the config loader would make it: defaults filled in, and whether the model was written. */
function choose({ defaults = {}, presets = {}, providers = {}, environment = {}, hasConfig }: Given) {
  const input: ChooseModelInput = {
    defaults: modelDefaultsSchema.parse(defaults),
    presets: modelPresetsSchema.parse(presets),
    providers: providersSchema.parse(providers),
    environment,
    isModelChosen: "model" in defaults,
    hasConfig: hasConfig ?? Object.keys({ ...defaults, ...presets, ...providers }).length > 0,
  };
  return chooseModel(input);
}

function chosen(given: Given) {
  const result = choose(given);
  if (!result.ok) throw new Error(sayInEnglish(phraseModelProblem(result.problem)));
  return result;
}

function show(result: ChooseModelResult): string {
  if (!result.ok) return sayInEnglish(phraseModelProblem(result.problem));
  const { host, model, why } = result.choice;
  return `${host.name} ${model}: ${Object.values(why).filter(Boolean).join(" ")}`;
}

describe("without a config", () => {
  it.each([
    ["ANTHROPIC_API_KEY", "anthropic claude-sonnet-5-5"],
    ["OPENAI_API_KEY", "openai gpt-5.6-terra"],
    ["OPENROUTER_API_KEY", "openrouter anthropic/claude-sonnet-5.5"],
    ["DEEPSEEK_API_KEY", "deepseek deepseek-v4-flash"],
    ["GEMINI_API_KEY", "gemini gemini-3.6-flash"],
    ["GOOGLE_API_KEY", "gemini gemini-3.6-flash"],
    ["MOONSHOT_API_KEY", "moonshot kimi-k2.6"],
    ["DASHSCOPE_API_KEY", "dashscope qwen-plus"],
    ["ZHIPU_API_KEY", "zhipu glm-5.2"],
    ["ZAI_API_KEY", "zai glm-5.2"],
    ["MINIMAX_API_KEY", "minimax MiniMax-M2.7"],
    ["GROQ_API_KEY", "groq openai/gpt-oss-120b"],
    ["MISTRAL_API_KEY", "mistral mistral-medium-latest"],
    ["SILICONFLOW_API_KEY", "siliconflow deepseek-ai/DeepSeek-V4-Pro"],
  ])("%s in the environment leads to %s", (variable, expected) => {
    const result = choose({ environment: { [variable]: "secret-value" } });
    expect(show(result)).toBe(`${expected}: key-in-environment ${variable}`);
    expect(result).toMatchObject({ choice: { access: { apiKey: "secret-value" } } });
  });

  it("the first host of the table wins among several keys", () => {
    const environment = { MISTRAL_API_KEY: "m", OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" };
    expect(show(choose({ environment }))).toContain("anthropic claude-sonnet-5-5");
  });

  it("an empty variable is no key", () => {
    expect(show(choose({ environment: { OPENAI_API_KEY: "  " } }))).toBe("offline offline: no-config");
  });

  it("a token that is in many environments for other reasons chooses no model", () => {
    expect(show(choose({ environment: { HF_TOKEN: "hf_x" } }))).toBe("offline offline: no-config");
  });

  it("nothing at all leads to the offline model", () => {
    expect(show(choose({}))).toBe("offline offline: no-config");
  });
});

describe("a config that leaves the model open", () => {
  it.each<[string, Given, string]>([
    ["without hosts goes offline and says so", { hasConfig: true }, "offline offline: no-usable-host"],
    [
      "whose hosts have empty keys goes offline",
      { providers: { anthropic: { apiKey: "" }, ollama: { apiKey: " " } } },
      "offline offline: no-usable-host",
    ],
    [
      "uses its default model at the vendor",
      { providers: { anthropic: { apiKey: "k" } } },
      "anthropic claude-opus-4-5: default-model",
    ],
    [
      "uses its default model through a gateway",
      { providers: { openrouter: { apiKey: "k" } } },
      "openrouter anthropic/claude-opus-4-5: default-model",
    ],
    [
      "uses another vendor's usual model",
      { providers: { deepseek: { apiKey: "k" } } },
      "deepseek deepseek-v4-flash: host-in-config",
    ],
    [
      "takes a key from the environment",
      { hasConfig: true, environment: { GROQ_API_KEY: "k" } },
      "groq openai/gpt-oss-120b: key-in-environment GROQ_API_KEY",
    ],
    [
      "prefers its own host to a key in the environment",
      { providers: { deepseek: { apiKey: "k" } }, environment: { ANTHROPIC_API_KEY: "e" } },
      "deepseek deepseek-v4-flash: host-in-config",
    ],
    [
      "names the server that lacks a model",
      { providers: { ollama: { apiBase: "http://localhost:11434/v1" } } },
      "offline offline: no-model-named ollama",
    ],
    [
      "names the custom host that lacks a model",
      { providers: { mine: { apiBase: "http://10.0.0.1/v1" } } },
      "offline offline: no-model-named mine",
    ],
    [
      "does not go from a custom server to a cloud",
      {
        providers: { ollama: { apiBase: "http://localhost:11434/v1" } },
        environment: { OPENAI_API_KEY: "k" },
      },
      "offline offline: no-model-named ollama",
    ],
  ])("%s", (_sentence, given, expected) => {
    expect(show(choose(given))).toBe(expected);
  });
});

describe("a chosen model", () => {
  it.each<[string, Given, string]>([
    [
      "is used at its host",
      { defaults: { model: "deepseek/deepseek-v4-pro" }, providers: { deepseek: { apiKey: "k" } } },
      "deepseek deepseek-v4-pro: chosen prefix",
    ],
    [
      "is used with a key from the environment",
      { defaults: { model: "claude-opus-5-5" }, environment: { ANTHROPIC_API_KEY: "k" } },
      "anthropic claude-opus-5-5: chosen keyword ANTHROPIC_API_KEY",
    ],
    [
      "may be the default one, said aloud",
      { defaults: { model: "anthropic/claude-opus-4-5" }, environment: { ANTHROPIC_API_KEY: "k" } },
      "anthropic claude-opus-4-5: chosen prefix ANTHROPIC_API_KEY",
    ],
    [
      "is used at a custom host",
      { defaults: { model: "mine/qwen3" }, providers: { mine: { apiBase: "http://10.0.0.1/v1" } } },
      "mine qwen3: chosen prefix",
    ],
    [
      "is used on this machine without any key",
      { defaults: { model: "llama3:8b", provider: "ollama" } },
      "ollama llama3:8b: chosen provider",
    ],
    [
      "of a twin takes the shared key when the twin is named",
      { defaults: { model: "kimi-k2.6", provider: "moonshotCn" }, environment: { MOONSHOT_API_KEY: "k" } },
      "moonshot_cn kimi-k2.6: chosen provider MOONSHOT_API_KEY",
    ],
    [
      "goes to the plain row with a shared key",
      { defaults: { model: "MiniMax-M2.7" }, environment: { MINIMAX_API_KEY: "k" } },
      "minimax MiniMax-M2.7: chosen keyword MINIMAX_API_KEY",
    ],
    [
      "goes to the row of the config",
      {
        defaults: { model: "MiniMax-M2.7" },
        providers: { minimaxAnthropic: { apiKey: "k" } },
        environment: { MINIMAX_API_KEY: "e" },
      },
      "minimax_anthropic MiniMax-M2.7: chosen keyword",
    ],
  ])("%s", (_sentence, given, expected) => {
    expect(show(choose(given))).toBe(expected);
  });

  itSays.each<[string, Given, string]>([
    [
      "without its key names variable and path",
      { defaults: { model: "anthropic/claude-opus-4-5" } },
      '"anthropic/claude-opus-4-5" needs a key for Anthropic: set ANTHROPIC_API_KEY, or providers.anthropic.apiKey in config.json. Configured providers: none.',
    ],
    [
      "without its key says what else is configured",
      {
        defaults: { model: "claude-x" },
        providers: { openai: { apiKey: "k" } },
        environment: { GROQ_API_KEY: "k" },
      },
      '"claude-x" needs a key for Anthropic: set ANTHROPIC_API_KEY, or providers.anthropic.apiKey in config.json. Configured providers: openai, groq.',
    ],
    [
      "at a named provider without key names the path in camelCase",
      { defaults: { model: "m", provider: "minimax-anthropic" }, providers: { openai: { apiKey: "k" } } },
      '"m" needs a key for MiniMax (Anthropic protocol): set MINIMAX_API_KEY, or providers.minimaxAnthropic.apiKey in config.json. Configured providers: openai.',
    ],
    [
      "names the path as the user spelled it",
      { defaults: { model: "m", provider: "xiaomiMimo" }, providers: { xiaomi_mimo: { apiKey: "" } } },
      '"m" needs a key for Xiaomi MiMo 小米: set XIAOMI_MIMO_API_KEY, or providers.xiaomi_mimo.apiKey in config.json. Configured providers: none.',
    ],
    [
      "on a server without an address asks for it",
      { defaults: { model: "vllm/llama" } },
      '"vllm/llama" needs the address of vLLM: set providers.vllm.apiBase in config.json. Configured providers: none.',
    ],
    [
      "at Azure without an address asks for it",
      {
        defaults: { model: "my-deployment", provider: "azure_openai" },
        environment: { AZURE_OPENAI_API_KEY: "k" },
      },
      '"my-deployment" needs the address of Azure OpenAI: set providers.azureOpenai.apiBase in config.json. Configured providers: none.',
    ],
    [
      "that nobody takes lists the configured hosts",
      { defaults: { model: "llama3:8b" }, providers: { openai: { apiKey: "k" }, groq: { apiKey: "k" } } },
      'No configured provider offers the model "llama3:8b". Choose a provider in the settings, or write provider/model. Configured providers: openai, groq.',
    ],
    [
      "at an unknown provider guesses what was meant",
      { defaults: { model: "m", provider: "antropic" } },
      'There is no model provider "antropic". Did you mean "anthropic"? Your own server needs its API address. Configured providers: none.',
    ],
    [
      "never leads silently to the offline model",
      { defaults: { model: "my-model" }, hasConfig: true },
      'No configured provider offers the model "my-model". Choose a provider in the settings, or write provider/model. Configured providers: none.',
    ],
  ])("%s", (_sentence, given, expected) => {
    expect(show(choose(given))).toBe(expected);
  });
});

describe("a chosen provider without a model", () => {
  it.each<[string, Given, string]>([
    [
      "brings its usual model",
      { defaults: { provider: "deepseek" }, environment: { DEEPSEEK_API_KEY: "k" } },
      "deepseek deepseek-v4-flash: chosen provider DEEPSEEK_API_KEY",
    ],
    [
      "keeps the default model where it belongs",
      { defaults: { provider: "anthropic" }, environment: { ANTHROPIC_API_KEY: "k" } },
      "anthropic claude-opus-4-5: chosen provider ANTHROPIC_API_KEY",
    ],
    [
      "keeps the default model at a gateway",
      { defaults: { provider: "openrouter" }, providers: { openrouter: { apiKey: "k" } } },
      "openrouter anthropic/claude-opus-4-5: chosen provider",
    ],
    [
      "may be offline",
      { defaults: { provider: "offline" }, environment: { ANTHROPIC_API_KEY: "k" } },
      "offline offline: chosen provider",
    ],
    [
      "may be scripted, with a script",
      { defaults: { provider: "scripted" }, providers: { scripted: { script: "s.json" } } },
      "scripted scripted: chosen provider",
    ],
  ])("%s", (_sentence, given, expected) => {
    expect(show(choose(given))).toBe(expected);
  });

  itSays.each<[string, Given, string]>([
    [
      "that is scripted needs a script",
      { defaults: { provider: "scripted" } },
      "The scripted model needs a script file: set providers.scripted.script in config.json.",
    ],
    [
      "that has no usual model asks for one",
      { defaults: { provider: "ollama" } },
      "No model was chosen for Ollama: set agents.defaults.model in config.json.",
    ],
    [
      "that lacks its key names it",
      { defaults: { provider: "groq" } },
      '"anthropic/claude-opus-4-5" needs a key for Groq: set GROQ_API_KEY, or providers.groq.apiKey in config.json. Configured providers: none.',
    ],
  ])("%s", (_sentence, given, expected) => {
    expect(show(choose(given))).toBe(expected);
  });

  it("hands over the script", () => {
    const given = { defaults: { provider: "scripted" }, providers: { scripted: { script: "s.json" } } };
    expect(chosen(given).choice.access.script).toBe("s.json");
  });
});

describe("a preset", () => {
  const presets = { fast: { model: "groq/llama", temperature: 0.7, maxTokens: 100, reasoningEffort: "low" } };
  const environment = { GROQ_API_KEY: "k", ANTHROPIC_API_KEY: "a" };

  it("goes before the single settings", () => {
    const result = chosen({
      defaults: { model: "claude-x", modelPreset: "fast", temperature: 0.2 },
      presets,
      environment,
    });
    expect(result.choice).toMatchObject({
      host: { name: "groq" },
      settings: { model: "llama", temperature: 0.7, maxTokens: 100, reasoningEffort: "low" },
      why: { kind: "chosen", preset: "fast" },
    });
  });

  it("that does not exist is a problem with the names that do", () => {
    const result = choose({ defaults: { modelPreset: "slow" }, presets, environment });
    expect(show(result)).toBe(sentence("setup.unknown-preset", { preset: "slow", known: ["fast"] }));
  });

  it("named like a part of every object does not exist either", () => {
    expect(choose({ defaults: { modelPreset: "constructor" } })).toMatchObject({
      ok: false,
      problem: { kind: "unknown-preset" },
    });
  });

  it("named default represents the single settings", () => {
    const result = chosen({ defaults: { model: "claude-x", modelPreset: "default" }, environment });
    expect(result.choice.model).toBe("claude-x");
  });
});

describe("the settings", () => {
  it("cap the reply at a quarter of the window", () => {
    const defaults = { model: "ollama/llama3", contextWindowTokens: 8192 };
    const { choice } = chosen({ defaults });
    expect(choice.settings.maxTokens).toBe(2048);
    expect(choice.contextWindow).toBe(8192);
  });

  it("leave a reply that fits as it is", () => {
    expect(chosen({ defaults: { model: "ollama/llama3" } }).choice.settings.maxTokens).toBe(8192);
  });

  it("know that the usual model of a host has a smaller window", () => {
    expect(chosen({ environment: { GROQ_API_KEY: "k" } }).contextWindow).toBe(131_072);
  });

  it("carry everything of a connection, and the key of the config before the environment's", () => {
    const { choice } = chosen({
      defaults: { model: "openai/gpt-4o" },
      providers: {
        openAI: {
          apiKey: "from-config",
          apiBase: " https://proxy.example/v1 ",
          displayName: "Work",
          extraHeaders: { "x-team": "a" },
          extraBody: { store: false },
          extraQuery: { v: "1" },
          proxy: "http://127.0.0.1:3128",
          thinkingStyle: "enable_thinking",
        },
      },
      environment: { OPENAI_API_KEY: "from-environment" },
    });
    expect(choice.access).toEqual({
      baseUrl: "https://proxy.example/v1",
      apiKey: "from-config",
      extraHeaders: { "x-team": "a" },
      extraBody: { store: false },
      extraQuery: { v: "1" },
      proxy: "http://127.0.0.1:3128",
    });
    expect(choice.host).toMatchObject({ label: "Work", quirks: { thinkingStyle: "enable_thinking" } });
  });

  it("fill in a key from the environment for a host of the config that has only an address", () => {
    const { choice } = chosen({
      defaults: { model: "gpt-4o" },
      providers: { openai: { apiBase: "https://proxy.example/v1" } },
      environment: { OPENAI_API_KEY: "e" },
    });
    expect(choice.access).toMatchObject({ apiKey: "e", baseUrl: "https://proxy.example/v1" });
    expect(choice.why).toMatchObject({ kind: "chosen", variable: "OPENAI_API_KEY" });
  });

  it("let a host of the config with an empty key keep its other settings", () => {
    const { choice } = chosen({
      providers: { deepseek: { apiKey: "", proxy: "http://127.0.0.1:1" } },
      environment: { DEEPSEEK_API_KEY: "e" },
    });
    expect(choice.access).toMatchObject({ apiKey: "e", proxy: "http://127.0.0.1:1" });
  });
});

describe("fallback models", () => {
  const environment = { ANTHROPIC_API_KEY: "a", GROQ_API_KEY: "g", DEEPSEEK_API_KEY: "d" };
  const defaults = { model: "claude-x", temperature: 0.3, maxTokens: 500, reasoningEffort: "high" };

  it("come from presets and from inline settings, in order", () => {
    const result = chosen({
      defaults: { ...defaults, fallbackModels: ["fast", { model: "deepseek/d", provider: "auto" }] },
      presets: { fast: { model: "groq/llama", contextWindowTokens: 32_000 } },
      environment,
    });
    expect(result.fallbacks.map(({ host, model }) => `${host.name} ${model}`)).toEqual([
      "groq llama",
      "deepseek d",
    ]);
    expect(result.contextWindow).toBe(32_000);
    expect(result.choice.contextWindow).toBe(200_000);
  });

  it("inherit what they leave out from the first model, but not its effort", () => {
    const fallbackModels = [{ model: "deepseek/d" }];
    const [fallback] = chosen({ defaults: { ...defaults, fallbackModels }, environment }).fallbacks;
    expect(fallback?.settings).toEqual({ model: "d", maxTokens: 500, temperature: 0.3 });
  });

  it("that cannot be used are skipped with their problem", () => {
    const fallbackModels = ["none", { model: "mistral/m" }, { model: "groq/llama" }];
    const result = chosen({ defaults: { ...defaults, fallbackModels }, environment });
    expect(result.fallbacks.map(({ model }) => model)).toEqual(["llama"]);
    expect(result.skipped.map(({ kind }) => kind)).toEqual(["unknown-preset", "missing-key"]);
  });

  it("that repeat a model of the chain are left out", () => {
    const fallbackModels = ["default", { model: "anthropic/claude-x" }, { model: "groq/llama" }];
    const result = chosen({ defaults: { ...defaults, fallbackModels }, environment });
    expect(result.fallbacks.map(({ model }) => model)).toEqual(["llama"]);
    expect(result.skipped).toEqual([]);
  });
});

it("a problem's sentence never carries a key", () => {
  const secret = "sk-very-secret-key";
  const given = { defaults: { model: "claude-x" }, providers: { openai: { apiKey: secret } } };
  expect(show(choose({ ...given, environment: { GROQ_API_KEY: secret } }))).not.toContain(secret);
});
