// The Messages protocol of Anthropic and of compatible hosts.

import { type Connection, type ModelConnection, toModelQuirks } from "../hosts/host.ts";
import type { Message, ModelRequest, Provider, ProviderError } from "../types.ts";
import { createWireProvider, type WireProtocol } from "../wire/wire-provider.ts";
import { bindingBeta, toAnthropicBody } from "./request.ts";
import { createMessageBuilder } from "./stream.ts";

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

export function createAnthropicMessages(connection: ModelConnection): Provider {
  return withoutRejectedThinking(createWireProvider(messagesProtocol, connection));
}

/** Base URLs come with and without a version. */
function toPath(baseUrl: string): string {
  return /\/v\d+(\/messages)?\/*$/.test(new URL(baseUrl).pathname) ? "/messages" : "/v1/messages";
}

/** In addition to the betas that the user configured. */
function withBeta(headers: Connection["extraHeaders"] = {}): Record<string, string> {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "anthropic-beta") ?? "anthropic-beta";
  return { ...headers, [name]: [headers[name], bindingBeta].filter(Boolean).join(",") };
}

const rejections = [
  // "messages.5.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation."
  /invalid `?signature`?/i,
  // "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
  /thinking`? blocks .{0,60}cannot be modified/i,
  // "messages.1.content.0.thinking: each thinking block must contain thinking"
  /each thinking block/i,
];

/**
 * A history can hold thinking that this service did not sign, or signed for another model, account or conversation. Such a
 * request is always rejected: it is sent once more without any thinking.
 */
function withoutRejectedThinking(provider: Provider): Provider {
  return {
    async *stream(request, signal) {
      for await (const event of provider.stream(request, signal)) {
        if (event.type === "reply-end" && isRejection(event.reply.error) && hasThinking(request)) {
          yield* provider.stream(withoutThinking(request), signal);
          return;
        }
        yield event;
      }
    },
  };
}

function isRejection(error: ProviderError | undefined): boolean {
  return error?.kind === "invalid-request" && rejections.some((pattern) => pattern.test(error.detail ?? ""));
}

function hasThinking({ messages }: ModelRequest): boolean {
  return messages.some((message) => message.role === "assistant" && message.thinking_blocks !== undefined);
}

function withoutThinking(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message): Message => {
    if (message.role !== "assistant") return message;
    const { thinking_blocks: _, ...rest } = message;
    return rest;
  });
  return { ...request, messages };
}
