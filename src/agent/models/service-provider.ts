// A service of an OpenAI-compatible host other than the conversation (embeddings, images) as a model that is asked
// once, so that ledger, budget and retries go around it as around every other one.
import { createFetch } from "../../guards/proxy-fetch.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { Usage } from "../../lib/usage.ts";
import { type Environment, findAccess, isUsable, listHostAccess } from "../../llm/choice/host-access.ts";
import type { Providers } from "../../llm/config.ts";
import {
  classifyResponse,
  classifyThrown,
  ProviderFailure,
  toConnectionFacts,
  toFailedEnd,
} from "../../llm/errors/provider-error.ts";
import { type Host, speaksOpenAI } from "../../llm/hosts/host.ts";
import { readUsage } from "../../llm/openai/stream.ts";
import type { Provider } from "../../llm/types.ts";
import { type AudioConnection, readBody, toServiceUrl } from "./audio-provider.ts";

export type ServiceConnection = AudioConnection;

export interface ServiceCall {
  /** Such as `embeddings`. */
  path: string;
  /** A form, or what is sent as JSON. */
  body: FormData | Record<string, unknown>;
  largestReply: number;
  /** An answer that cannot be read was paid for: it is not asked for again. */
  isCostly?: true;
  /** `usage` counts where the host has counted nothing. Undefined: this is no such answer. */
  read(reply: Record<string, unknown>): { text?: string; usage: Usage } | undefined;
}

const longestErrorBody = 20_000;

/** A model that makes this call, whatever the request says. */
export function createServiceProvider(connection: ServiceConnection, call: ServiceCall): Provider {
  const facts = toConnectionFacts(connection);
  const { host, apiKey, extraHeaders } = connection;
  const isForm = call.body instanceof FormData;
  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        const response = await connection.fetch(toServiceUrl(connection, call.path), {
          method: "POST",
          headers: {
            accept: "application/json",
            ...(!isForm && { "content-type": "application/json" }),
            ...host.quirks.headers,
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
            ...extraHeaders,
          },
          body: call.body instanceof FormData ? call.body : JSON.stringify(call.body),
          redirect: "manual",
          signal,
        });
        const body = await readBody(response, call.largestReply);
        const reply = parseJson(body);
        const read = response.ok && isRecord(reply) ? call.read(reply) : undefined;
        const { status, headers } = response;
        if (read === undefined || !isRecord(reply)) {
          const shown = body.slice(0, longestErrorBody);
          const error = classifyResponse({ ...facts, status, headers, body: shown });
          throw new ProviderFailure(response.ok && call.isCostly ? { ...error, kind: "unknown" } : error);
        }
        const usage = readUsage(reply, undefined) ?? read.usage;
        const message = { role: "assistant", content: read.text ?? "" } as const;
        yield { type: "reply-end", reply: { message, stop: "stop", model: request.model, usage } };
      } catch (error) {
        signal.throwIfAborted();
        yield toFailedEnd(request, classifyThrown(error, facts));
      }
    },
  };
}

/** A known host without a key or address is named; undefined: there is none that has such services. */
type FoundService = ServiceConnection | { unusable: Host } | undefined;

/** Throws a ProxyAddressError for a proxy setting that is no address. */
export function findService(provider: string, providers: Providers, env: Environment): FoundService {
  const access = findAccess(provider, listHostAccess(providers, env));
  if (access === undefined || !speaksOpenAI(access.host)) return undefined;
  const { host, apiKey, settings, baseUrl = host.baseUrl } = access;
  if (!isUsable(access) || host.signIn || baseUrl === undefined) return { unusable: host };
  return { ...settings, host, baseUrl, apiKey, fetch: createFetch({ proxy: settings?.proxy, env }) };
}
