// The window of a model, as its host tells it in its list of models. Many hosts do not: then nothing is known.

import { createFetch } from "../../guards/proxy-fetch.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { ModelChoice } from "../../llm/model-choice.ts";

const patienceMs = 5_000;
const largestList = 8 * 1024 * 1024;
const leastWindow = 256;

/** vLLM and SGLang; LiteLLM; OpenRouter; Groq; LM Studio; llama.cpp. */
const fields = [
  "max_model_len",
  "max_input_tokens",
  "context_length",
  "context_window",
  "loaded_context_length",
  "n_ctx",
];

export async function findWindow(
  { host, model, access }: ModelChoice,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<number | undefined> {
  const { baseUrl, apiKey, extraHeaders, proxy } = access;
  if (baseUrl === undefined || host.protocol !== "openai-chat") return undefined;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const headers = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...extraHeaders };
  const address = `${baseUrl.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")}/models`;
  try {
    const response = await createFetch({ proxy, env })(address, {
      headers,
      redirect: "manual",
      signal: limit,
    });
    return response.ok ? readWindow(parseJson(await readText(response)), model) : undefined;
  } catch (error) {
    signal.throwIfAborted();
    // It has no list, or takes too long for it: fetch throws nothing else.
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

/** The smallest that the list says of that model. */
export function readWindow(list: unknown, model: string): number | undefined {
  const entries = isRecord(list) && Array.isArray(list.data) ? list.data.filter(isRecord) : [];
  const entry = entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined);
  if (entry === undefined) return undefined;
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
