// A history can hold thinking that this service did not sign, or signed for another model, account or conversation.
// Such a request is rejected and would be rejected for ever: it is made once more without any thinking.
import type { Message, ModelRequest, Provider, ProviderError } from "./types.ts";

const rejections = [
  // "messages.5.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation."
  /invalid `?signature`?/i,
  // "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
  /thinking`? blocks .{0,60}cannot be modified/i,
  // "messages.1.content.0.thinking: each thinking block must contain thinking"
  /each thinking block/i,
];

export function withoutRejectedThinking(provider: Provider): Provider {
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
