// The body of a Messages request: a pure function of the request and the host. Images are loaded before.
import type { TextBlockParam, Tool, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { isBlank } from "../lib/text.ts";
import { type Thinking, toEffort, toThinking } from "./anthropic-thinking.ts";
import { type Turn, toTurns } from "./anthropic-turns.ts";
import { type Host, toModelQuirks } from "./host.ts";
import type { Message, ModelRequest, ToolDefinition } from "./types.ts";

const cacheMark = { type: "ephemeral" } as const;

/** What is left for the answer when the budget of thinking is used up. */
const answerTokens = 4096;

export function toAnthropicBody(request: ModelRequest, host: Host): Record<string, unknown> {
  const { model, maxTokens, temperature, reasoningEffort, toolChoice } = request;
  const quirks = toModelQuirks(host, model);
  const turns = toTurns(request.messages);
  const tools = (request.tools ?? []).map(toTool);
  const system = toSystem(request.messages);
  if (quirks.cacheMarks) markForCache(tools, system, turns);
  const thinking = toThinking(request, quirks);
  const isAdaptive = thinking?.type === "adaptive" || quirks.adaptiveThinking;
  const effort = isAdaptive ? toEffort(reasoningEffort) : undefined;
  // Thinking models take only their own temperature, which is the one they use when nothing is said.
  const hasTemperature = temperature !== undefined && thinking === undefined && !quirks.rejectsTemperature;
  const budget = thinking?.type === "enabled" ? thinking.budget_tokens + answerTokens : 0;
  return {
    model,
    max_tokens: Math.max(maxTokens, budget),
    ...(system.length > 0 && { system }),
    messages: turns,
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && toolChoice === "none" && { tool_choice: { type: "none" } }),
    ...(thinking && fitsThinking(turns, thinking) && { thinking }),
    ...(effort && { output_config: { effort } }),
    ...(hasTemperature && { temperature }),
    stream: true,
  };
}

function toSystem(messages: readonly Message[]): TextBlockParam[] {
  return messages
    .filter((message) => message.role === "system")
    .filter(({ content }) => !isBlank(content))
    .map(({ content }) => ({ type: "text", text: content }));
}

function toTool({ name, description, parameters }: ToolDefinition): Tool {
  return {
    name,
    ...(description !== "" && { description }),
    input_schema: { type: "object", ...parameters },
  };
}

/**
 * With a budget the service demands that a round of tool calls under way began with thinking ("Expected `thinking` or
 * `redacted_thinking`, but found `tool_use`"); one that another model began has none.
 */
function fitsThinking(turns: readonly Turn[], { type }: Thinking): boolean {
  if (type === "adaptive") return true;
  const answer = turns.at(-2);
  const isUnderWay = answer?.content.some(({ type }) => type === "tool_use") ?? false;
  return !isUnderWay || (answer?.content[0]?.type.endsWith("thinking") ?? false);
}

/**
 * Marks on the last tool, the last system block and the ends of the last two user turns: the later one writes the cache
 * as far as possible, the earlier one stands where the previous request ended and so surely finds what that one wrote.
 */
function markForCache(tools: Tool[], system: TextBlockParam[], turns: Turn[]): void {
  markLast(tools);
  markLast(system);
  for (const { content } of turns.filter(({ role }) => role === "user").slice(-2)) {
    // A user's turn holds nothing else than what can be marked.
    markLast(content as Array<TextBlockParam | ToolResultBlockParam>);
  }
}

function markLast<Block extends TextBlockParam | ToolResultBlockParam | Tool>(blocks: Block[]): void {
  const last = blocks.pop();
  if (last !== undefined) blocks.push({ ...last, cache_control: cacheMark });
}
