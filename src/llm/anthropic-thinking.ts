// How a model of the Messages protocol is asked to think, from its quirks and the wished effort.
import type { ModelQuirks } from "./host.ts";
import type { ModelSettings, ReasoningEffort } from "./types.ts";

export type Thinking =
  | { type: "enabled"; budget_tokens: number }
  | {
      type: "adaptive";
      display?: "summarized";
      block_binding?: { prefix_mismatch_behavior: "drop_block" };
    };

/** Without it the service rejects `block_binding`. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

export function toThinking(settings: ModelSettings, quirks: ModelQuirks): Thinking | undefined {
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
 * Goes into `output_config`. Not every model can be told not to think ("thinking.type.disabled" is not supported):
 * "none" is as little as it can.
 */
export function toEffort(effort: ReasoningEffort | undefined): ReasoningEffort | undefined {
  if (effort === "adaptive") return undefined;
  return effort === "none" || effort === "minimal" ? "low" : effort;
}
