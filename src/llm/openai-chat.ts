// The OpenAI chat-completions protocol, spoken by nearly every host.
import { type Connection, toModelQuirks } from "./host.ts";
import { toOpenAIBody } from "./openai-request.ts";
import { createChatBuilder } from "./openai-stream.ts";
import { createWireProvider, type WireProtocol } from "./stream-reply.ts";
import type { Provider } from "./types.ts";

const chatCompletions: WireProtocol = {
  toRequest: (request, { host, apiKey }) => ({
    path: "/chat/completions",
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: toOpenAIBody(request, host),
  }),
  createBuilder: (request, { host }) => createChatBuilder(request, toModelQuirks(host, request.model)),
};

export function createOpenAIChat(connection: Connection): Provider {
  return createWireProvider(chatCompletions, connection);
}
