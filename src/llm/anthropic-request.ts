// The body of a Messages request: a pure function of the request and the host. Images are loaded before.
import type { TextBlockParam, Tool, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { isBlank } from "../lib/text.ts";
import { type AnthropicDialect, toAnthropicDialect } from "./anthropic-dialect.ts";
import { type Turn, toTurns } from "./anthropic-turns.ts";
import type { Host } from "./host.ts";
import type { Message, ModelRequest, ToolDefinition } from "./types.ts";

const cacheMark = { type: "ephemeral" } as const;

export function toAnthropicBody(request: ModelRequest, host: Host): Record<string, unknown> {
  const dialect = toAnthropicDialect(host, request);
  const { maxTokens, effort, temperature, hasCacheMarks } = dialect;
  const turns = toTurns(request.messages);
  const thinking = fitsThinking(turns, dialect) ? dialect.thinking : undefined;
  const tools = (request.tools ?? []).map(toTool);
  const system = toSystem(request.messages);
  if (hasCacheMarks) markForCache(tools, system, turns);
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && request.toolChoice === "none" && { tool_choice: { type: "none" } }),
    ...(thinking && { thinking }),
    ...(effort && { output_config: { effort } }),
    ...(temperature !== undefined && { temperature }),
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
function fitsThinking(turns: readonly Turn[], { thinking }: AnthropicDialect): boolean {
  if (thinking?.type !== "enabled") return true;
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
