// The OpenAI chat-completions protocol, spoken by nearly every host: the request body is a pure function of the request
// and the host. Images are already loaded.
import { type Host, type ModelConnection, type ModelQuirks, toModelQuirks } from "../hosts/host.ts";
import type { ModelRequest, Provider, ReasoningEffort, ToolDefinition } from "../types.ts";
import { createWireProvider, type WireProtocol } from "../wire/wire-provider.ts";
import { toWireMessages, type WireMessage } from "./messages.ts";
import { createChatBuilder } from "./stream.ts";

const chatCompletions: WireProtocol = {
  toRequest: (request, { host, apiKey }) => ({
    path: "/chat/completions",
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: toOpenAIBody(request, host),
  }),
  createBuilder: (request, { host }) => createChatBuilder(request, toModelQuirks(host, request.model)),
};

export function createOpenAIChat(connection: ModelConnection): Provider {
  return createWireProvider(chatCompletions, connection);
}

type Body = Record<string, unknown>;

const cacheMark = { type: "ephemeral" } as const;

export function toOpenAIBody(request: ModelRequest, host: Host): Body {
  const { model, maxTokens, temperature, tools = [] } = request;
  const quirks = toModelQuirks(host, model);
  const messages = toWireMessages(request.messages, quirks);
  if (quirks.cacheMarks) markMessages(messages);
  return {
    model,
    messages,
    ...(tools.length > 0 && { tools: toTools(tools, quirks) }),
    ...(tools.length > 0 && request.toolChoice === "none" && { tool_choice: "none" }),
    [quirks.maxCompletionTokens ? "max_completion_tokens" : "max_tokens"]: maxTokens,
    ...(temperature !== undefined && !quirks.rejectsTemperature && { temperature }),
    ...toThinking(request.reasoningEffort, tools.length > 0, quirks),
    stream: true,
    ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }),
  };
}

function toTools(tools: readonly ToolDefinition[], { cacheMarks }: ModelQuirks): Body[] {
  return tools.map(({ name, description, parameters }, index) => ({
    type: "function",
    function: { name, description, parameters },
    ...(cacheMarks && index === tools.length - 1 && { cache_control: cacheMark }),
  }));
}

function toThinking(effort: ReasoningEffort | undefined, hasTools: boolean, quirks: ModelQuirks): Body {
  if (quirks.noEffortWithTools && hasTools) return { reasoning_effort: "none" };
  // MiniMax always thinks; this only keeps it out of the text.
  if (quirks.thinkingStyle === "reasoning_split") return { reasoning_split: effort !== "none" };
  if (effort === undefined) return {};
  const isOn = effort !== "none";
  switch (quirks.thinkingStyle) {
    case "thinking_type":
      return { thinking: { type: isOn ? "enabled" : "disabled" }, ...(isOn ? toEffort(effort) : {}) };
    case "enable_thinking":
      return { enable_thinking: isOn };
    case "openrouter":
      return { reasoning: effort === "adaptive" ? { enabled: true } : { effort } };
    default:
      return toEffort(effort);
  }
}

/** "adaptive" is the model's own choice, which hosts make when nothing is said. */
function toEffort(effort: ReasoningEffort): Body {
  return effort === "adaptive" ? {} : { reasoning_effort: effort };
}

/**
 * Marks on the system message, on the last message, and on the one that was last in the previous request (the one
 * before the newest answer): so the cache is written as far as possible and surely found by the next request, even
 * when more parts are between than a host looks back.
 */
function markMessages(messages: WireMessage[]): void {
  const [first] = messages;
  const newestAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  const places = [first?.role === "system" ? 0 : -1, newestAnswer - 1, messages.length - 1];
  for (const place of new Set(places)) mark(messages[place]);
}

function mark(message: WireMessage | undefined): void {
  if (message === undefined || !Array.isArray(message.content)) return;
  const last = message.content.length - 1;
  message.content = message.content.map((part, index) =>
    index === last ? { ...part, cache_control: cacheMark } : part,
  );
}
