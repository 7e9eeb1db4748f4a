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
  /** Tokens. */
  window?: number;
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
    if (ok && isRecord(list)) return { ok: true, models: readModels(list, host.defaultModel) };
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
    const window = readWindow(entry);
    return { id, ...(window !== undefined && { window }) };
  });
}

function isName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= longestName;
}

/** vLLM and SGLang; LiteLLM; OpenRouter; Groq; LM Studio; llama.cpp. */
const fields = [
  "max_model_len",
  "max_input_tokens",
  "context_length",
  "context_window",
  "loaded_context_length",
  "n_ctx",
];

/** The smallest that the list says of that model. */
function readWindow(entry: Record<string, unknown>): number | undefined {
  const places = [entry, entry.meta, entry.top_provider, entry.model_info].filter(isRecord);
  const found = places.flatMap((place) => fields.map((field) => Number(place[field] ?? Number.NaN)));
  const windows = found.filter((window) => Number.isInteger(window) && window >= leastWindow);
  return windows.length === 0 ? undefined : Math.min(...windows);
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
