// The body of a chat-completions request: a pure function of the request and the host. Images are loaded before.
import type { Host } from "./host.ts";
import { type Dialect, toDialect } from "./openai-dialect.ts";
import { toWireMessages, type WireMessage } from "./openai-messages.ts";
import type { ModelRequest, ReasoningEffort, ToolDefinition } from "./types.ts";

type Body = Record<string, unknown>;

const cacheMark = { type: "ephemeral" } as const;

export function toOpenAIBody(request: ModelRequest, host: Host): Body {
  const dialect = toDialect(host, request.model);
  const messages = toWireMessages(request.messages, dialect);
  const tools = request.tools ?? [];
  if (dialect.hasCacheMarks) markMessages(messages);
  return {
    model: request.model,
    messages,
    ...toTools(tools, request.toolChoice, dialect),
    [dialect.outputCap]: request.maxTokens,
    ...toTemperature(request.temperature, dialect),
    ...toThinking(request.reasoningEffort, tools.length > 0, dialect),
    stream: true,
    ...(dialect.hasStreamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

function toTools(
  tools: readonly ToolDefinition[],
  choice: ModelRequest["toolChoice"],
  { hasCacheMarks }: Dialect,
): Body {
  if (tools.length === 0) return {};
  const wire = tools.map(({ name, description, parameters }, index) => ({
    type: "function",
    function: { name, description, parameters },
    ...(hasCacheMarks && index === tools.length - 1 ? { cache_control: cacheMark } : {}),
  }));
  return { tools: wire, ...(choice === "none" ? { tool_choice: "none" } : {}) };
}

function toTemperature(temperature: number | undefined, { hasTemperature }: Dialect): Body {
  return hasTemperature && temperature !== undefined ? { temperature } : {};
}

function toThinking(effort: ReasoningEffort | undefined, hasTools: boolean, dialect: Dialect): Body {
  if (dialect.hasNoEffortWithTools && hasTools) return { reasoning_effort: "none" };
  // MiniMax always thinks; this only keeps it out of the text.
  if (dialect.thinkingStyle === "reasoning_split") return { reasoning_split: effort !== "none" };
  if (effort === undefined) return {};
  const isOn = effort !== "none";
  switch (dialect.thinkingStyle) {
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
 * when more parts lie between than a host looks back.
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
