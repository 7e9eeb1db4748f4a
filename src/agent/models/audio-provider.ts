// OpenAI's `/audio/transcriptions` and `/audio/speech` as models that take one recording or one text, so that ledger, budget and
// retries go around them as around every other one.
import { extname } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { noUsage, type Usage } from "../../lib/usage.ts";
import {
  classifyResponse,
  classifyThrown,
  ProviderFailure,
  toConnectionFacts,
  toFailedEnd,
} from "../../llm/errors/provider-error.ts";
import type { Connection } from "../../llm/hosts/host.ts";
import { readUsage } from "../../llm/openai/stream.ts";
import type { Provider } from "../../llm/types.ts";

export interface Recording {
  /** Its extension names the format. */
  name: string;
  bytes: Uint8Array;
}

export interface AudioConnection extends Connection {
  fetch: typeof globalThis.fetch;
}

const largestReply = 1024 * 1024;
const longestText = 50_000;
const largestSpeech = 20 * 1024 * 1024;
/** Names under which hosts know what some platforms call otherwise. */
const otherEndings: Record<string, string> = { ".oga": ".ogg", ".opus": ".ogg", ".weba": ".webm" };

/** A model that transcribes one recording, whatever the request says. */
export function createAudioProvider(
  connection: AudioConnection,
  recording: Recording,
  language: string | undefined,
): Provider {
  return createService(connection, {
    service: "audio/transcriptions",
    toBody: (model) => ({ body: toForm(recording, { model, language }) }),
    async read(response) {
      const body = await readBody(response, largestReply);
      const reply = parseJson(body);
      if (!response.ok || !isRecord(reply) || typeof reply.text !== "string") return { body };
      const text = reply.text.trim().slice(0, longestText).toWellFormed();
      return { text, usage: readUsage(reply, undefined) ?? { ...noUsage, output: estimateTokens(text) } };
    },
  });
}

/** A model that speaks one text, whatever the request says; its words are in the bytes, and the reply is empty. */
export function createSpeechProvider(
  connection: AudioConnection,
  { text: input, voice, onSpoken }: { text: string; voice: string; onSpoken(bytes: Uint8Array): void },
): Provider {
  return createService(connection, {
    service: "audio/speech",
    toBody: (model) => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, input, voice, response_format: "opus" }),
    }),
    async read(response) {
      if (!response.ok) return { body: await readBody(response, largestReply) };
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > largestSpeech) return { body: "" };
      }
      if (size === 0) return { body: "" };
      onSpoken(Buffer.concat(chunks));
      return { text: "", usage: { ...noUsage, input: estimateTokens(input) } };
    },
  });
}

interface Service {
  service: string;
  toBody(model: string): Pick<RequestInit, "body"> & { headers?: Record<string, string> };
  /** The reply, or the body of what is none. */
  read(response: Response): Promise<{ text: string; usage: Usage } | { body: string }>;
}

function createService(connection: AudioConnection, { service, toBody, read }: Service): Provider {
  const facts = toConnectionFacts(connection);
  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        const { model } = request;
        const { headers: ownHeaders, ...sent } = toBody(model);
        const response = await connection.fetch(toServiceUrl(connection, service), {
          method: "POST",
          headers: {
            accept: "application/json, audio/*",
            ...connection.host.quirks.headers,
            ...(connection.apiKey !== undefined && { authorization: `Bearer ${connection.apiKey}` }),
            ...connection.extraHeaders,
            ...ownHeaders,
          },
          ...sent,
          redirect: "manual",
          signal,
        });
        const reply = await read(response);
        const { status, headers } = response;
        if ("body" in reply)
          throw new ProviderFailure(classifyResponse({ ...facts, status, headers, body: reply.body }));
        const message = { role: "assistant", content: reply.text } as const;
        yield { type: "reply-end", reply: { message, stop: "stop", model, usage: reply.usage } };
      } catch (error) {
        signal.throwIfAborted();
        yield toFailedEnd(request, classifyThrown(error, facts));
      }
    },
  };
}

/** The address of another service of the same host. */
export function toServiceUrl({ baseUrl, extraQuery = {} }: Connection, service: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")}/${service}`;
  for (const [name, value] of Object.entries(extraQuery)) url.searchParams.set(name, value);
  return url.href;
}

function toForm({ name, bytes }: Recording, fields: { model: string; language?: string }): FormData {
  const form = new FormData();
  form.set("model", fields.model);
  form.set("response_format", "json");
  if (fields.language !== undefined) form.set("language", fields.language);
  const ending = extname(name).toLowerCase();
  form.set("file", new Blob([Buffer.from(bytes)]), `recording${otherEndings[ending] ?? ending}`);
  return form;
}

export async function readBody(response: Response, largest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largest) break;
  }
  return text;
}
