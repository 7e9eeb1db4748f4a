// The Messages protocol of Anthropic and of hosts that imitate it.
import { toAnthropicBody } from "./anthropic-request.ts";
import { createMessageBuilder } from "./anthropic-stream.ts";
import { bindingBeta } from "./anthropic-thinking.ts";
import { type Connection, toModelQuirks } from "./host.ts";
import { createWireProvider, type WireProtocol } from "./stream-reply.ts";
import type { Provider } from "./types.ts";
import { withoutRejectedThinking } from "./without-rejected-thinking.ts";

const version = "2023-06-01";

const messagesProtocol: WireProtocol = {
  toRequest: (request, { host, baseUrl, apiKey, extraHeaders }) => ({
    path: toPath(baseUrl),
    headers: { "anthropic-version": version, ...(apiKey !== undefined && { "x-api-key": apiKey }) },
    extraHeaders: toModelQuirks(host, request.model).boundThinking ? withBeta(extraHeaders) : extraHeaders,
    body: toAnthropicBody(request, host),
  }),
  createBuilder: createMessageBuilder,
};

export function createAnthropicMessages(connection: Connection): Provider {
  return withoutRejectedThinking(createWireProvider(messagesProtocol, connection));
}

/** Bases are given with and without a version. */
function toPath(baseUrl: string): string {
  return /\/v\d+(\/messages)?\/*$/.test(new URL(baseUrl).pathname) ? "/messages" : "/v1/messages";
}

/** Beside the features that the user asks for. */
function withBeta(headers: Connection["extraHeaders"] = {}): Record<string, string> {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "anthropic-beta") ?? "anthropic-beta";
  return { ...headers, [name]: [headers[name], bindingBeta].filter(Boolean).join(",") };
}
