// Embeddings by any host or local server that speaks OpenAI's `/embeddings`. Its calls are in the ledger and are held to the
// budget like those of every model; secrets are taken out of what is sent.
import { createFetch, ProxyAddressError } from "../../guards/proxy-fetch.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { Log } from "../../lib/log.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { findAccess, isUsable, listHostAccess } from "../../llm/choice/host-access.ts";
import type { Providers } from "../../llm/config.ts";
import {
  classifyResponse,
  classifyThrown,
  ProviderFailure,
  toConnectionFacts,
  toFailedEnd,
} from "../../llm/errors/provider-error.ts";
import { type Connection, speaksOpenAI } from "../../llm/hosts/host.ts";
import { readUsage } from "../../llm/openai/stream.ts";
import type { ModelRequest, Provider } from "../../llm/types.ts";
import type { EmbeddingsConfig } from "../../recall/config.ts";
import type { Embeddings } from "../../recall/embeddings.ts";
import { type AudioConnection, readBody, toServiceUrl } from "./audio-provider.ts";
import type { ModelParts } from "./connect-model.ts";

interface EmbeddingsParts extends Pick<ModelParts, "clock" | "count"> {
  env: NodeJS.ProcessEnv;
  log: Log;
  redact(text: string): string;
  config: { embeddings?: EmbeddingsConfig; providers: Providers };
  /** Of its calls in the ledger. */
  cause: "recall" | "api";
}

const largestReply = 16 * 1024 * 1024;
const mostDimensions = 4_096;

/** Undefined where none are configured, or the host cannot be used, which the log says. */
export function createEmbeddings(parts: EmbeddingsParts): Embeddings | undefined {
  const { config, log, clock, redact } = parts;
  if (config.embeddings === undefined) return undefined;
  const { provider, model } = config.embeddings;
  const connection = findConnection(provider, parts);
  if (connection === undefined) {
    log.warn("embeddings-not-used", { provider });
    return undefined;
  }
  const name = `${connection.host.name}/${model}`;
  return {
    model: name,
    async embed(texts, signal) {
      const vectors: number[][] = [];
      const once = parts.count(name)(createEmbeddingProvider(connection, texts.map(redact), vectors));
      const turnId = `embeddings:${clock.now()}`;
      const attribution = { cause: parts.cause, sessionKey: `${parts.cause}:embeddings`, turnId };
      const request: ModelRequest = { model, maxTokens: 0, messages: [], attribution };
      for await (const event of once.stream(request, signal)) {
        if (event.type !== "reply-end" || event.reply.error === undefined) continue;
        log.debug("embeddings-failed", { model: name, kind: event.reply.error.kind });
        return undefined;
      }
      return vectors.length === texts.length ? vectors : undefined;
    },
  };
}

/** A model that embeds these texts, whatever the request says; the vectors are put into `into`. */
function createEmbeddingProvider(
  connection: AudioConnection,
  texts: readonly string[],
  into: number[][],
): Provider {
  const facts = toConnectionFacts(connection);
  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        const response = await connection.fetch(toServiceUrl(connection, "embeddings"), {
          method: "POST",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            ...connection.host.quirks.headers,
            ...(connection.apiKey !== undefined && { authorization: `Bearer ${connection.apiKey}` }),
            ...connection.extraHeaders,
          },
          body: JSON.stringify({ model: request.model, input: texts, encoding_format: "float" }),
          redirect: "manual",
          signal,
        });
        const body = await readBody(response, largestReply);
        const { status, headers } = response;
        const reply = parseJson(body);
        const vectors = response.ok ? readVectors(reply, texts.length) : undefined;
        if (vectors === undefined)
          throw new ProviderFailure(
            classifyResponse({ ...facts, status, headers, body: body.slice(0, 2_000) }),
          );
        into.push(...vectors);
        const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        const usage = (isRecord(reply) && readUsage(reply, undefined)) || {
          input: estimate,
          cached: 0,
          output: 0,
        };
        const message = { role: "assistant", content: "" } as const;
        yield { type: "reply-end", reply: { message, stop: "stop", model: request.model, usage } };
      } catch (error) {
        signal.throwIfAborted();
        yield toFailedEnd(request, classifyThrown(error, facts));
      }
    },
  };
}

/** In the order of the texts; undefined for anything but one vector of numbers for each. */
function readVectors(reply: unknown, count: number): number[][] | undefined {
  const data = isRecord(reply) && Array.isArray(reply.data) ? (reply.data as unknown[]) : [];
  const vectors: number[][] = [];
  for (const [place, item] of data.entries()) {
    if (!isRecord(item) || !isVector(item.embedding)) return undefined;
    vectors[typeof item.index === "number" ? item.index : place] = item.embedding;
  }
  const isWhole = data.length === count && vectors.length === count && !vectors.includes(undefined as never);
  return isWhole && new Set(vectors.map(({ length }) => length)).size === 1 ? vectors : undefined;
}

function isVector(value: unknown): value is number[] {
  const isNumber = (one: unknown) => typeof one === "number" && Number.isFinite(one);
  return Array.isArray(value) && value.length > 0 && value.length <= mostDimensions && value.every(isNumber);
}

function findConnection(
  provider: string,
  { config, env }: EmbeddingsParts,
): (Connection & { fetch: typeof fetch }) | undefined {
  const found = findAccess(provider, listHostAccess(config.providers, env));
  if (found === undefined || !isUsable(found) || !speaksOpenAI(found.host)) return undefined;
  const { host, apiKey, settings } = found;
  const baseUrl = found.baseUrl ?? host.baseUrl;
  if (baseUrl === undefined) return undefined;
  try {
    return { ...settings, host, baseUrl, apiKey, fetch: createFetch({ proxy: settings?.proxy, env }) };
  } catch (error) {
    if (error instanceof ProxyAddressError) return undefined;
    throw error;
  }
}
