// What a host's quirks and the wished effort mean for one model of the Messages protocol: how it is asked to think,
// how long it may answer, and whether a temperature may be said.
import type { Host } from "./host.ts";
import type { ModelSettings, ReasoningEffort } from "./types.ts";

export interface AnthropicDialect {
  maxTokens: number;
  thinking?: Thinking;
  /** Goes into `output_config`. */
  effort?: "low" | "medium" | "high" | "xhigh" | "max";
  temperature?: number;
  hasCacheMarks: boolean;
}

export type Thinking =
  | { type: "enabled"; budget_tokens: number }
  | {
      type: "adaptive";
      display?: "summarized";
      block_binding?: { prefix_mismatch_behavior: "drop_block" };
    };

/** Without it the service rejects `block_binding`. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

/** What is left for the answer when the budget is used up. */
const answerTokens = 4096;

export function toAnthropicDialect({ quirks }: Host, settings: ModelSettings): AnthropicDialect {
  const { model } = settings;
  const thinking = toThinking(settings, quirks);
  const isAdaptive = thinking?.type === "adaptive" || isFor(quirks.adaptiveThinking, model);
  const rejects = thinking !== undefined || isFor(quirks.rejectsTemperature, model);
  return {
    maxTokens: toMaxTokens(settings.maxTokens, thinking),
    thinking,
    effort: isAdaptive ? toEffort(settings.reasoningEffort) : undefined,
    // Thinking models take only their own temperature, which is the one they use when nothing is said.
    temperature: rejects ? undefined : settings.temperature,
    hasCacheMarks: isFor(quirks.cacheMarks, model),
  };
}

function toThinking(settings: ModelSettings, quirks: Host["quirks"]): Thinking | undefined {
  const { model, reasoningEffort: effort, maxTokens } = settings;
  // These think anyway. A new epoch changes the conversation before older blocks, which they would reject:
  // "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
  if (isFor(quirks.boundThinking, model)) {
    const block_binding = { prefix_mismatch_behavior: "drop_block" } as const;
    return { type: "adaptive", display: "summarized", block_binding };
  }
  if (effort === undefined || effort === "none") return undefined;
  if (isFor(quirks.adaptiveThinking, model)) return { type: "adaptive", display: "summarized" };
  if (effort === "adaptive") return { type: "adaptive" };
  return { type: "enabled", budget_tokens: toBudget(effort, maxTokens) };
}

function toBudget(effort: ReasoningEffort, maxTokens: number): number {
  if (effort === "minimal" || effort === "low") return 1024;
  return effort === "medium" ? 4096 : Math.max(8192, maxTokens);
}

function toMaxTokens(maxTokens: number, thinking: Thinking | undefined): number {
  return thinking?.type === "enabled"
    ? Math.max(maxTokens, thinking.budget_tokens + answerTokens)
    : maxTokens;
}

/** Not every model can be told not to think ("thinking.type.disabled" is not supported): "none" is as little as it can. */
function toEffort(effort: ReasoningEffort | undefined): AnthropicDialect["effort"] {
  if (effort === undefined || effort === "adaptive") return undefined;
  return effort === "none" || effort === "minimal" ? "low" : effort;
}

function isFor(quirk: true | RegExp | undefined, model: string): boolean {
  return quirk === true || (quirk?.test(model) ?? false);
}
