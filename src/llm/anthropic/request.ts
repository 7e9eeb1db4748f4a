// The body of a Messages request: a pure function of the request and the host. Images are already loaded.
import type { TextBlockParam, Tool, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { isBlank } from "../../lib/text.ts";
import { type Host, type ModelQuirks, toModelQuirks } from "../hosts/host.ts";
import type { Message, ModelRequest, ModelSettings, ReasoningEffort, ToolDefinition } from "../types.ts";
import { type Turn, toTurns } from "./turns.ts";

const cacheMark = { type: "ephemeral" } as const;

/** Tokens left for the answer when the thinking budget is used up. */
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
  // Thinking models accept only their default temperature.
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
 * as far as possible, the earlier one is where the previous request ended and so finds what that one wrote.
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

type Thinking =
  | { type: "enabled"; budget_tokens: number }
  | {
      type: "adaptive";
      display?: "summarized";
      block_binding?: { prefix_mismatch_behavior: "drop_block" };
    };

/** Without it the service rejects `block_binding`. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

/** How the model is asked to think. */
function toThinking(settings: ModelSettings, quirks: ModelQuirks): Thinking | undefined {
  const { reasoningEffort: effort, maxTokens } = settings;
  // These think anyway. A new epoch changes the conversation before older blocks, which they would reject:
  // "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
  if (quirks.boundThinking) {
    const block_binding = { prefix_mismatch_behavior: "drop_block" } as const;
    return { type: "adaptive", display: "summarized", block_binding };
  }
  if (effort === undefined || effort === "none") return undefined;
  if (quirks.adaptiveThinking) return { type: "adaptive", display: "summarized" };
  if (effort === "adaptive") return { type: "adaptive" };
  return { type: "enabled", budget_tokens: toBudget(effort, maxTokens) };
}

function toBudget(effort: ReasoningEffort, maxTokens: number): number {
  if (effort === "minimal" || effort === "low") return 1024;
  return effort === "medium" ? 4096 : Math.max(8192, maxTokens);
}

/**
 * Goes into `output_config`. Not every model can be asked not to think ("thinking.type.disabled" is not supported):
 * "none" is as little as it can.
 */
function toEffort(effort: ReasoningEffort | undefined): ReasoningEffort | undefined {
  if (effort === "adaptive") return undefined;
  return effort === "none" || effort === "minimal" ? "low" : effort;
}
