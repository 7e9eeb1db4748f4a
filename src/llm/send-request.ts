// One POST of JSON to a model host. Refusals come back as a ProviderFailure; there are no retries and no redirects
// (a key must not follow to an address that nobody configured).
import type { Connection, WireResponse } from "./host.ts";
import { classifyResponse, ProviderFailure, toConnectionFacts } from "./provider-error.ts";

export interface WireRequest {
  /** Joined to the connection's base, such as `/chat/completions`. */
  path: string;
  headers: Record<string, string>;
  /** In place of the connection's own, which go before all others. */
  extraHeaders?: Record<string, string>;
  body: Record<string, unknown>;
}

const longestErrorBody = 64 * 1024;

export async function sendRequest(
  connection: Connection,
  { path, headers, extraHeaders = connection.extraHeaders, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  const response = await connection.fetch(toUrl(connection, path), {
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...connection.host.quirks.headers,
      ...headers,
      ...extraHeaders,
    },
    body: toJson({ ...body, ...connection.extraBody }),
    signal,
  });
  if (response.ok) return response;
  throw new ProviderFailure(
    classifyResponse({
      ...toConnectionFacts(connection),
      status: response.status,
      headers: response.headers,
      body: await readHead(response),
    }),
  );
}

function toUrl({ baseUrl, extraQuery }: Connection, path: string): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  // People paste the whole address from a host's examples.
  url.pathname = base.endsWith(path) ? base : base + path;
  for (const [name, value] of Object.entries(extraQuery ?? {})) url.searchParams.set(name, value);
  return url.href;
}

/** JSON that every host can read: lone surrogates, which JSON.stringify writes as escapes, are replaced. */
function toJson(body: Record<string, unknown>): string {
  const text = JSON.stringify(body);
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(body, (_key, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

async function readHead(response: WireResponse): Promise<string> {
  const location = response.headers.get("location");
  if (location !== null) return `it redirects to ${location}`;
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length <= longestErrorBody) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}
