// OpenAI's `/audio/transcriptions` as a model that takes one recording and answers with its words, so that ledger, budget and
// retries go around it as around every other one.
import { extname } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { estimateTokens } from "../../lib/tokens.ts";
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
/** Names under which hosts know what some platforms call otherwise. */
const otherEndings: Record<string, string> = { ".oga": ".ogg", ".opus": ".ogg", ".weba": ".webm" };

/** A model that transcribes one recording, whatever the request says. */
export function createAudioProvider(
  connection: AudioConnection,
  recording: Recording,
  language: string | undefined,
): Provider {
  const facts = toConnectionFacts(connection);
  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        const response = await connection.fetch(toServiceUrl(connection, "audio/transcriptions"), {
          method: "POST",
          headers: {
            accept: "application/json",
            ...connection.host.quirks.headers,
            ...(connection.apiKey !== undefined && { authorization: `Bearer ${connection.apiKey}` }),
            ...connection.extraHeaders,
          },
          body: toForm(recording, { model: request.model, language }),
          redirect: "manual",
          signal,
        });
        const body = await readBody(response, largestReply);
        const reply = parseJson(body);
        const { status, headers } = response;
        if (!response.ok || !isRecord(reply) || typeof reply.text !== "string")
          throw new ProviderFailure(classifyResponse({ ...facts, status, headers, body }));
        const text = reply.text.trim().slice(0, longestText).toWellFormed();
        const usage = readUsage(reply, undefined) ?? { input: 0, cached: 0, output: estimateTokens(text) };
        const message = { role: "assistant", content: text } as const;
        yield { type: "reply-end", reply: { message, stop: "stop", model: request.model, usage } };
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
