// The models that a host says it has, from its `/models`: names, and windows where it tells them.
import { createFetch } from "../../guards/proxy-fetch.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { ModelChoice } from "../../llm/choice/choose-model.ts";
import {
  classifyResponse,
  classifyThrown,
  toConnectionFacts,
  toPhrase,
} from "../../llm/errors/provider-error.ts";
import type { Host } from "../../llm/hosts/host.ts";

export interface HostModel {
  id: string;
  /** Tokens of prompt and answer. */
  window?: number;
  /** Tokens of the longest answer. */
  answer?: number;
  /** USD for a million tokens. */
  price?: { input: number; output: number; cached?: number };
}

export type HostModels = { ok: true; models: HostModel[] } | { ok: false; problem: Phrase };

export interface AskOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const mostModels = 1_000;
const longestName = 200;
const largestList = 8 * 1024 * 1024;
const leastWindow = 256;
/** Models for other things than a conversation, which some hosts list as well. */
const notForChat =
  /embed|whisper|transcri|(?:^|[-/])tts|moderation|rerank|dall-e|sora|(?:^|[-/])imagen|image-\d|davinci|babbage/i;

export async function listHostModels(
  { host, access }: Pick<ModelChoice, "host" | "access">,
  { env, signal }: AskOptions,
): Promise<HostModels> {
  const { baseUrl = "", apiKey, extraHeaders, extraQuery, proxy } = access;
  const facts = toConnectionFacts({ host, baseUrl, apiKey, extraHeaders, extraQuery, fetch: neverAsked });
  try {
    const response = await createFetch({ proxy, env })(toAddress(host, baseUrl), {
      headers: { ...toKeyHeaders(host, apiKey), ...extraHeaders },
      redirect: "manual",
      signal,
    });
    const body = await readText(response);
    const { status, headers, ok } = response;
    const list = parseJson(body);
    if (ok && isRecord(list)) {
      const models = readModels(list, host.defaultModel);
      return { ok: true, models: await addLoaded(models, { host, baseUrl, apiKey }, { env, signal }) };
    }
    return { ok: false, problem: toPhrase(classifyResponse({ ...facts, status, headers, body })) };
  } catch (error) {
    const failure = signal.aborted
      ? { kind: "timeout" as const, host: host.label }
      : classifyThrown(error, facts);
    return { ok: false, problem: toPhrase(failure) };
  }
}

const neverAsked = () => Promise.reject(new Error("only its address and secrets are looked at"));

function toAddress({ protocol }: Host, baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return protocol === "anthropic-messages"
    ? `${base.replace(/\/v1$/, "")}/v1/models?limit=1000`
    : `${base}/models`;
}

function toKeyHeaders({ protocol }: Host, apiKey: string | undefined): Record<string, string> {
  if (protocol === "anthropic-messages")
    return { "anthropic-version": "2023-06-01", ...(apiKey !== undefined && { "x-api-key": apiKey }) };
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** Those for conversations, the host's usual one first, then the newest. */
function readModels({ data }: Record<string, unknown>, usual: string | undefined): HostModel[] {
  const entries = Array.isArray(data) ? data.filter(isRecord) : [];
  const named = entries
    .map((entry) => ({
      id: entry.id,
      at: Number(entry.created ?? Date.parse(String(entry.created_at))) || 0,
      entry,
    }))
    .filter((one): one is typeof one & { id: string } => isName(one.id))
    .toSorted((a, b) => Number(b.id === usual) - Number(a.id === usual) || b.at - a.at);
  const chat = named.filter(({ id }) => !notForChat.test(id));
  return (chat.length > 0 ? chat : named).slice(0, mostModels).map(({ id, entry }) => {
    const window = readTokens(entry, windowFields);
    const answer = readTokens(entry, answerFields);
    const price = readPrice(entry);
    return {
      id,
      ...(window !== undefined && { window }),
      ...(answer !== undefined && { answer }),
      ...(price && { price }),
    };
  });
}

function isName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= longestName;
}

/** vLLM and SGLang; LiteLLM and Anthropic; OpenRouter; Groq; LM Studio; llama.cpp. */
const windowFields = [
  "max_model_len",
  "max_input_tokens",
  "context_length",
  "context_window",
  "loaded_context_length",
  "n_ctx",
];
/** LiteLLM; OpenRouter and Groq. */
const answerFields = ["max_output_tokens", "max_completion_tokens"];

/** The smallest that the list says of that model. */
function readTokens(entry: Record<string, unknown>, fields: readonly string[]): number | undefined {
  const places = [entry, entry.meta, entry.top_provider, entry.model_info].filter(isRecord);
  const numbers = places.flatMap((place) => fields.map((field) => Number(place[field] ?? Number.NaN)));
  const windows = numbers.filter((window) => Number.isInteger(window) && window >= leastWindow);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/** OpenRouter: `pricing: {prompt: "0.000003", completion: "0.000015"}`, in USD for a token. */
function readPrice({ pricing }: Record<string, unknown>): HostModel["price"] {
  if (!isRecord(pricing)) return undefined;
  const [input, output] = [pricing.prompt, pricing.completion].map((one) => Number(one ?? Number.NaN) * 1e6);
  const isPrice = (one: number | undefined): one is number => one !== undefined && one >= 0 && one < 1e5;
  return isPrice(input) && isPrice(output) ? { input, output } : undefined;
}

/** Where a server says with which window it has loaded a model; its list of models does not. */
const loadedPlaces: Readonly<Record<string, string>> = { ollama: "/api/ps", lm_studio: "/api/v0/models" };

/** Ollama shortens in silence what is longer than the window that it has loaded a model with. */
async function addLoaded(
  models: HostModel[],
  { host, baseUrl, apiKey }: { host: Host; baseUrl: string; apiKey?: string },
  { env, signal }: AskOptions,
): Promise<HostModel[]> {
  const place = loadedPlaces[host.name];
  if (place === undefined) return models;
  try {
    const address = `${baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}${place}`;
    const init = { headers: toKeyHeaders(host, apiKey), redirect: "manual", signal } as const;
    const list = parseJson(await readText(await createFetch({ env })(address, init)));
    const entries = isRecord(list) ? [list.models, list.data].flat().filter(isRecord) : [];
    return models.map((model) => {
      const entry = entries.find(({ id, model: name }) => (id ?? name) === model.id);
      const window = entry && readTokens(entry, ["loaded_context_length", "context_length"]);
      return window === undefined ? model : { ...model, window };
    });
  } catch (error) {
    if (signal.aborted) return models;
    if (error instanceof TypeError || error instanceof SyntaxError) return models;
    throw error;
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largestList) return "";
  }
  return text;
}

export interface LocalServer {
  host: Host;
  models: string[];
}

const localPatienceMs = 800;

/** Servers on this machine that answer on their usual ports, each with at least one model. */
export async function findLocalServers(
  hosts: readonly Host[],
  signal: AbortSignal,
  patienceMs = localPatienceMs,
): Promise<LocalServer[]> {
  const local = hosts.filter(({ kind, baseUrl }) => kind === "local" && baseUrl !== undefined);
  const servers = await Promise.all(
    local.map(async (host): Promise<LocalServer> => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      const answer = await listHostModels(
        { host, access: { baseUrl: host.baseUrl } },
        { env: {}, signal: limit },
      );
      return { host, models: answer.ok ? answer.models.map(({ id }) => id) : [] };
    }),
  );
  signal.throwIfAborted();
  return servers.filter(({ models }) => models.length > 0);
}
