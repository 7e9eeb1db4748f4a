import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProviderSettings, providerSchema } from "../config.ts";
import { findHost, knownHosts } from "../hosts/hosts.ts";
import { listHostAccess } from "./host-access.ts";
import { type SelectHostResult, selectHost } from "./select-host.ts";

/** What a host was given; `variable`: a key in the environment. */
type Given = "key" | "base" | "variable";

const [key, base, variable] = ["key", "base", "variable"] as const;

function select(model: string, given: Record<string, Given>, provider = "auto"): SelectHostResult {
  const providers: Record<string, ProviderSettings> = {};
  const environment: Record<string, string> = {};
  for (const [name, what] of Object.entries(given)) {
    if (what === "variable") environment[findHost(name)?.keyVariables[0] ?? ""] = "k";
    else providers[name] = providerSchema.parse(what === "key" ? { apiKey: "k" } : { apiBase: "http://x" });
  }
  return selectHost({ model, provider }, listHostAccess(providers, environment));
}

function show(result: SelectHostResult): string {
  if (result.ok) return `${result.access.host.name} ${result.model} (${result.by})`;
  const { problem } = result;
  if (problem.kind === "unknown-provider") return `unknown provider ${problem.provider}`;
  const wanted = "host" in problem ? knownHosts.find(({ label }) => label === problem.host) : undefined;
  return `no host, wants ${wanted?.name ?? "nobody"}`;
}

type Row = [sentence: string, model: string, hosts: Record<string, Given>, expected: string];

describe("a named provider", () => {
  it.each<Row>([
    [
      "wins over a prefix",
      "groq: openai/gpt-oss-120b",
      { openai: key },
      "groq openai/gpt-oss-120b (provider)",
    ],
    ["wins over a keyword", "openrouter: claude-x", { anthropic: key }, "openrouter claude-x (provider)"],
    ["may be spelled in camelCase", "lmStudio: qwen3-4b", {}, "lm_studio qwen3-4b (provider)"],
    ["takes its own prefix off", "ollama: ollama/llama3:8b", {}, "ollama llama3:8b (provider)"],
    ["takes a local name even to a cloud", "dashscope: qwen3:4b", {}, "dashscope qwen3:4b (provider)"],
    ["may be custom", "myVllm: my-vllm/qwen3", { "my-vllm": base }, "my-vllm qwen3 (provider)"],
    ["may be the offline model", "offline: x", {}, "offline x (provider)"],
    ["is unknown without a base", "mine: x", { mine: key }, "unknown provider mine"],
    ["is unknown when misspelled", "opnrouter: x", {}, "unknown provider opnrouter"],
  ])("%s", (_sentence, request, hosts, expected) => {
    const [provider = "", model = ""] = request.split(": ");
    expect(show(select(model, hosts, provider))).toBe(expected);
  });

  it("that is misspelled brings up the nearest name", () => {
    const result = select("x", {}, "opnrouter");
    expect(result).toMatchObject({ ok: false, problem: { nearest: "openrouter" } });
  });
});

describe("a prefix", () => {
  it.each<Row>([
    [
      "leads to its host",
      "anthropic/claude-opus-4-5",
      { anthropic: key },
      "anthropic claude-opus-4-5 (prefix)",
    ],
    [
      "leads to a host known by an environment key",
      "deepseek/deepseek-v4-pro",
      { deepseek: variable },
      "deepseek deepseek-v4-pro (prefix)",
    ],
    ["leads to a local server without any config", "ollama/llama3:8b", {}, "ollama llama3:8b (prefix)"],
    [
      "keeps the vendor's prefix at a gateway",
      "openrouter/anthropic/claude-sonnet-5.5",
      { openrouter: key },
      "openrouter anthropic/claude-sonnet-5.5 (prefix)",
    ],
    [
      "stays where it names the gateway's own model",
      "openrouter/auto",
      { openrouter: key },
      "openrouter openrouter/auto (prefix)",
    ],
    [
      "is dropped with the vendor's at a gateway of bare names",
      "aihubmix/openai/gpt-4o",
      { aihubmix: key },
      "aihubmix gpt-4o (prefix)",
    ],
    [
      "keeps the folder of a model on a local server",
      "vllm/meta-llama/Llama-4",
      { vllm: base },
      "vllm meta-llama/Llama-4 (prefix)",
    ],
    ["may be a custom name", "work-proxy/gpt-x", { workProxy: base }, "workProxy gpt-x (prefix)"],
    [
      "means the custom host even if it sounds like a keyword elsewhere",
      "mine/claude-3",
      { mine: base, anthropic: key },
      "mine claude-3 (prefix)",
    ],
    [
      "leads to the twin when only that has a key",
      "moonshot/kimi-k2.6",
      { moonshot_cn: key },
      "moonshot_cn kimi-k2.6 (prefix)",
    ],
    ["leads to the twin in the other direction", "zai/glm-5.2", { zhipu: key }, "zhipu glm-5.2 (prefix)"],
    [
      "in camelCase is understood",
      "minimaxAnthropic/MiniMax-M3",
      { minimax_anthropic: key },
      "minimax_anthropic MiniMax-M3 (prefix)",
    ],
    [
      "of a vendor without a key goes to a gateway that serves it",
      "anthropic/claude-opus-4-5",
      { openrouter: key },
      "openrouter anthropic/claude-opus-4-5 (gateway)",
    ],
    [
      "of a gateway without a key goes nowhere else",
      "openrouter/anthropic/claude-x",
      { novita: key, anthropic: key },
      "no host, wants openrouter",
    ],
    [
      "of a server without an address goes nowhere else",
      "vllm/llama",
      { openrouter: key },
      "no host, wants vllm",
    ],
    [
      "of a vendor without a key does not go to another vendor",
      "anthropic/claude-x",
      { openai: key },
      "no host, wants anthropic",
    ],
    [
      "of a vendor does not go to a server on this machine",
      "anthropic/claude-x",
      { ollama: base },
      "no host, wants anthropic",
    ],
    [
      "of a vendor may go through a custom proxy",
      "anthropic/claude-x",
      { litellm: base },
      "litellm anthropic/claude-x (only-host)",
    ],
  ])("%s", (_sentence, model, hosts, expected) => {
    expect(show(select(model, hosts))).toBe(expected);
  });
});

describe("a keyword", () => {
  it.each<Row>([
    [
      "leads to the vendor that has a key",
      "claude-opus-5-5",
      { openai: key, anthropic: key },
      "anthropic claude-opus-5-5 (keyword)",
    ],
    ["leads to a host that has only a base", "gpt-4o", { openai: base }, "openai gpt-4o (keyword)"],
    ["counts before a digit", "qwen3-max", { dashscope: key }, "dashscope qwen3-max (keyword)"],
    [
      "that is longer wins",
      "kimi-for-coding",
      { moonshot: key, kimi_coding: key },
      "kimi_coding kimi-for-coding (keyword)",
    ],
    ["is a word of its own", "stepwise-model", { stepfun: key, groq: key }, "no host, wants nobody"],
    [
      "is found inside a vendor/model name",
      "moonshotai/kimi-k2.6",
      { moonshot: key },
      "moonshot kimi-k2.6 (keyword)",
    ],
    [
      "prefers the vendor to a gateway",
      "qwen/qwen3-max",
      { openrouter: key, dashscope: key },
      "dashscope qwen3-max (keyword)",
    ],
    [
      "prefers what stands in the config to a key in the environment",
      "qwen/qwen3-max",
      { openrouter: key, dashscope: variable },
      "openrouter qwen/qwen3-max (gateway)",
    ],
    [
      "prefers the twin of the config to a key in the environment",
      "kimi-k2.6",
      { moonshot: variable, moonshot_cn: key },
      "moonshot_cn kimi-k2.6 (keyword)",
    ],
    [
      "falls back on a key in the environment",
      "claude-x",
      { openai: key, anthropic: variable },
      "anthropic claude-x (keyword)",
    ],
    [
      "of a host without a key leads nowhere",
      "claude-x",
      { openai: key, deepseek: key },
      "no host, wants anthropic",
    ],
    [
      "of a host without a key does not lead to the only other one",
      "claude-x",
      { openai: key },
      "no host, wants anthropic",
    ],
    [
      "does not match codex for openai's sake",
      "mycodex-1",
      { openai: key, groq: key },
      "no host, wants nobody",
    ],
  ])("%s", (_sentence, model, hosts, expected) => {
    expect(show(select(model, hosts))).toBe(expected);
  });
});

describe("a local name", () => {
  it.each<Row>([
    ["does not go to a vendor by keyword", "qwen3:4b", { dashscope: key }, "no host, wants nobody"],
    ["does not go to OpenAI", "gpt-oss:20b", { openai: key }, "no host, wants nobody"],
    ["does not go to a gateway", "qwen/qwen3:4b", { openrouter: key }, "no host, wants nobody"],
    ["does not go to the only cloud", "llama3:8b", { groq: key }, "no host, wants nobody"],
    [
      "does not go to a cloud known by the environment",
      "deepseek-r1:1.5b",
      { deepseek: variable },
      "no host, wants nobody",
    ],
    [
      "goes to the configured local server",
      "llama3:8b",
      { ollama: base, openai: key },
      "ollama llama3:8b (only-host)",
    ],
    [
      "with a quantisation goes to the local server",
      "phi4:14b-q4_K_M",
      { lm_studio: base, openai: key },
      "lm_studio phi4:14b-q4_K_M (only-host)",
    ],
    [
      "of a file goes to a custom server",
      "Qwen3-8B-Q4_K_M.gguf",
      { llamacpp: base, dashscope: key },
      "llama_cpp Qwen3-8B-Q4_K_M.gguf (only-host)",
    ],
    [
      "is not given to one of two servers at random",
      "llama3:8b",
      { ollama: base, lm_studio: base },
      "no host, wants nobody",
    ],
    [
      "with a server's keyword finds it among two",
      "nemotron:70b",
      { ollama: base, lm_studio: base },
      "ollama nemotron:70b (keyword)",
    ],
    [
      "is told from a gateway's variant",
      "deepseek/deepseek-r1:free",
      { openrouter: key },
      "openrouter deepseek/deepseek-r1:free (gateway)",
    ],
    ["is told from a fine-tuned model", "ft:gpt-4o:acme", { openai: key }, "openai ft:gpt-4o:acme (keyword)"],
  ])("%s", (_sentence, model, hosts, expected) => {
    expect(show(select(model, hosts))).toBe(expected);
  });

  it("never leads to a cloud unless the provider or the prefix says so", () => {
    const clouds = ["openai", "dashscope", "deepseek", "openrouter", "groq", "mistral", "aihubmix", "gemini"];
    const family = fc.constantFrom(
      "llama3",
      "qwen3",
      "gpt-oss",
      "mistral",
      "gemma3",
      "deepseek-r1",
      "acme/x",
    );
    const tag = fc.constantFrom(
      "8b",
      "4b",
      "1.5b",
      "8x7b",
      "e4b",
      "latest",
      "30b-a3b",
      "7b-instruct-q4_0",
      "q8_0",
    );
    const access = fc.constantFrom<Given>(key, base, variable);
    const hosts = fc.dictionary(fc.constantFrom(...clouds), access, { noNullPrototype: true });
    fc.assert(
      fc.property(family, tag, hosts, (name, size, given) => select(`${name}:${size}`, given).ok === false),
    );
  });
});

describe("a name that nobody claims", () => {
  it.each<Row>([
    [
      "goes to the only host",
      "llama-3.3-70b-versatile",
      { groq: key },
      "groq llama-3.3-70b-versatile (only-host)",
    ],
    [
      "goes to a custom server rather than to a cloud",
      "my-model",
      { custom: base, openai: key },
      "custom my-model (only-host)",
    ],
    [
      "goes to the host of the config rather than of the environment",
      "my-model",
      { custom: base, groq: variable },
      "custom my-model (only-host)",
    ],
    ["goes nowhere among several clouds", "my-model", { openai: key, groq: key }, "no host, wants nobody"],
    [
      "goes to a gateway in vendor/model form",
      "acme/large",
      { openai: key, openrouter: key },
      "openrouter acme/large (gateway)",
    ],
    [
      "goes to a gateway of bare names",
      "claude-opus-4-5",
      { aihubmix: key },
      "aihubmix claude-opus-4-5 (gateway)",
    ],
    [
      "keeps its case and form for a local server",
      "qwen3-4b",
      { lm_studio: base },
      "lm_studio qwen3-4b (only-host)",
    ],
    ["goes nowhere without hosts", "my-model", {}, "no host, wants nobody"],
  ])("%s", (_sentence, model, hosts, expected) => {
    expect(show(select(model, hosts))).toBe(expected);
  });

  it("lists what is configured when it leads nowhere", () => {
    const result = select("my-model", { openai: key, groq: key, broken: key });
    expect(result).toMatchObject({ ok: false, problem: { configured: ["openai", "groq"] } });
  });
});
