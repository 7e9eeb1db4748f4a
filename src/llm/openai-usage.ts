// Token counts of a chat completion in the shapes that hosts use.
import { isRecord } from "../lib/is-record.ts";
import type { Usage } from "../lib/usage.ts";

/** Undefined when the chunk counts nothing; hosts that count in every chunk count upwards. */
export function readUsage(
  chunk: Record<string, unknown>,
  choice: Record<string, unknown> | undefined,
): Usage | undefined {
  const groq = isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined;
  // Moonshot puts it into the last choice.
  const usage = [chunk.usage, choice?.usage, groq].find(isRecord);
  if (usage === undefined) return undefined;
  const input = toCount(usage.prompt_tokens ?? usage.input_tokens);
  const written = toCount(usage.completion_tokens ?? usage.output_tokens);
  if (input === 0 && written === 0) return undefined;
  // Gemini counts its thoughts only in the total.
  const output = Math.max(written, toCount(usage.total_tokens) - input);
  return { input, cached: Math.min(input, readCached(usage)), output };
}

function readCached(usage: Record<string, unknown>): number {
  const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isRecord);
  return toCount(
    details?.cached_tokens ??
      // Moonshot; DeepSeek; Claude behind some gateways
      usage.cached_tokens ??
      usage.prompt_cache_hit_tokens ??
      usage.cache_read_input_tokens,
  );
}

export function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
