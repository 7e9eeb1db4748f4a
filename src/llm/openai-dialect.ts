// What a host's quirks mean for one model: plain choices, so that the conversion of a message asks no patterns.
import type { Host } from "./host.ts";
import type { IdAlphabet } from "./tool-call-ids.ts";

export interface Dialect {
  outputCap: "max_tokens" | "max_completion_tokens";
  hasTemperature: boolean;
  reasoningReplay: "keep" | "backfill" | "drop";
  /** `extra_content` for a reply's first call that has none. */
  unsignedCall?: unknown;
  thinkingStyle: NonNullable<Host["quirks"]["thinkingStyle"]>;
  /** Function tools are only taken with `reasoning_effort: "none"`. */
  hasNoEffortWithTools: boolean;
  toolCallIds: IdAlphabet;
  isStringContent: boolean;
  emptyContent: null | "";
  isReasoningContent: boolean;
  hasStreamOptions: boolean;
  hasCacheMarks: boolean;
}

export function toDialect({ quirks }: Host, model: string): Dialect {
  const hasCacheMarks = isFor(quirks.cacheMarks, model);
  return {
    outputCap: isFor(quirks.maxCompletionTokens, model) ? "max_completion_tokens" : "max_tokens",
    hasTemperature: !isFor(quirks.rejectsTemperature, model),
    reasoningReplay: quirks.reasoningReplay ?? "keep",
    unsignedCall: quirks.unsignedCall,
    thinkingStyle: quirks.thinkingStyle ?? "reasoning_effort",
    hasNoEffortWithTools: isFor(quirks.noEffortWithTools, model),
    // Where marks are understood the model is Claude, whose ids hold letters, digits, "_" and "-" only.
    toolCallIds: quirks.toolCallIds ?? (hasCacheMarks ? "plain" : "any"),
    isStringContent: quirks.stringContent === true,
    emptyContent: quirks.emptyContent === "empty-string" ? "" : null,
    isReasoningContent: quirks.reasoningAsContent === true,
    hasStreamOptions: quirks.noStreamOptions !== true,
    hasCacheMarks,
  };
}

function isFor(quirk: true | RegExp | undefined, model: string): boolean {
  return quirk === true || (quirk?.test(model) ?? false);
}
