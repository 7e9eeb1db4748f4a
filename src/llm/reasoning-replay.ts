// Reasoning that hosts want back, or do not want at all. Structured details of a reply (signatures, encrypted parts)
// travel as opaque data with its first tool call, because that is when they are demanded.
import { isRecord } from "../lib/is-record.ts";
import type { ModelQuirks } from "./host.ts";
import type { AssistantMessage } from "./types.ts";

/** A part of `reasoning_details` as OpenRouter and MiniMax send it. */
export interface ReasoningDetail {
  type?: string;
  index?: number;
  text?: string;
  summary?: string;
  data?: string;
  [field: string]: unknown;
}

const growing = ["text", "summary", "data"];
const mostDetails = 256;

/** Adds a streamed fragment to the details of its index: texts grow, everything else is replaced. */
export function addDetail(details: ReasoningDetail[], fragment: ReasoningDetail): void {
  const known = details.find(({ index, type }) => index === fragment.index && type === fragment.type);
  if (known === undefined || fragment.index === undefined) {
    if (details.length < mostDetails) details.push({ ...fragment });
    return;
  }
  for (const [field, value] of Object.entries(fragment)) {
    if (value === null || value === undefined) continue;
    const before = known[field];
    known[field] = growing.includes(field) && typeof before === "string" ? before + value : value;
  }
}

/** Only what cannot be told from the text: plain reasoning is kept as `reasoning_content` anyway. */
export function isOpaque(details: readonly ReasoningDetail[]): boolean {
  return details.some(({ data, signature }) => data !== undefined || typeof signature === "string");
}

export function toWireReasoning(message: AssistantMessage, quirks: ModelQuirks): Record<string, unknown> {
  const { reasoningReplay, thinkingStyle } = quirks;
  const text = message.reasoning_content ?? "";
  if (reasoningReplay === "drop") return {};
  if (thinkingStyle === "openrouter" || thinkingStyle === "reasoning_split") {
    const extra = message.tool_calls?.[0]?.extra_content;
    const details = isRecord(extra) ? extra.reasoning_details : undefined;
    if (Array.isArray(details)) return { reasoning_details: details };
  }
  if (text === "") return reasoningReplay === "backfill" ? { reasoning_content: "" } : {};
  if (thinkingStyle === "openrouter") return { reasoning: text };
  if (thinkingStyle === "reasoning_split") return { reasoning_details: [{ type: "reasoning.text", text }] };
  return { reasoning_content: text };
}

/** A host's own data with a call (Gemini's thought signature). Hosts that reject reasoning reject it too. */
export function toWireExtra(extra: unknown, { reasoningReplay }: ModelQuirks): unknown {
  if (reasoningReplay === "drop") return undefined;
  if (!isRecord(extra)) return extra;
  const { reasoning_details: _, ...rest } = extra;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
