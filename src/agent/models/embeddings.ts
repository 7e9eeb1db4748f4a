// Embeddings by any host or local server that speaks OpenAI's `/embeddings`. Its calls are in the ledger and are held to the
// budget like those of every model; secrets are taken out of what is sent.
import { ProxyAddressError } from "../../guards/proxy-fetch.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { Log } from "../../lib/log.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { noUsage } from "../../lib/usage.ts";
import type { Providers } from "../../llm/config.ts";
import type { ModelRequest, Provider } from "../../llm/types.ts";
import type { EmbeddingsConfig } from "../../recall/config.ts";
import type { Embeddings } from "../../recall/embeddings.ts";
import type { ModelParts } from "./connect-model.ts";
import { createServiceProvider, findService, type ServiceConnection } from "./service-provider.ts";

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
      const once = parts.count(name)(createEmbeddingProvider(connection, model, texts.map(redact), vectors));
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

/** A model that embeds these texts; the vectors are put into `into`. */
function createEmbeddingProvider(
  connection: ServiceConnection,
  model: string,
  texts: readonly string[],
  into: number[][],
): Provider {
  return createServiceProvider(connection, {
    path: "embeddings",
    body: { model, input: texts, encoding_format: "float" },
    largestReply,
    read(reply) {
      const vectors = readVectors(reply, texts.length);
      if (vectors === undefined) return undefined;
      into.push(...vectors);
      const input = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      return { usage: { ...noUsage, input } };
    },
  });
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

function findConnection(provider: string, { config, env }: EmbeddingsParts): ServiceConnection | undefined {
  try {
    const found = findService(provider, config.providers, env);
    return found === undefined || "unusable" in found ? undefined : found;
  } catch (error) {
    if (error instanceof ProxyAddressError) return undefined;
    throw error;
  }
}
