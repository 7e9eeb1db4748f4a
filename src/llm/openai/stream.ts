// Assembles one streamed chat completion: chunks in, events out, and at the end one reply. Knows how hosts differ from the
// documentation, but no host by name.
import { isRecord } from "../../lib/is-record.ts";
import { toWellFormed } from "../../lib/text.ts";
import type { Usage } from "../../lib/usage.ts";
import type { ModelQuirks } from "../hosts/host.ts";
import type { ModelEvent, ModelRequest, ToolCall } from "../types.ts";
import { toCount, toRecords, toText } from "../wire/chunk.ts";
import { createReplyDraft, toStop } from "../wire/reply-draft.ts";
import { createToolCallDrafts, parseTextCalls } from "../wire/tool-calls.ts";
import type { ReplyBuilder } from "../wire/wire-provider.ts";

type Json = Record<string, unknown>;

export function createChatBuilder(request: ModelRequest, quirks: ModelQuirks): ReplyBuilder {
  const { model } = request;
  const tools = new Set(request.toolChoice === "none" ? [] : request.tools?.map(({ name }) => name));
  const draft = createReplyDraft({ mayHoldCalls: tools.size > 0 });
  const drafts = createToolCallDrafts();
  const details: ReasoningDetail[] = [];
  let refusal = "";
  let finish = "";
  let usage: Usage | undefined;

  function readDelta(delta: Json): ModelEvent[] {
    const parts = toRecords(delta.reasoning_details);
    for (const part of parts) addDetail(details, part);
    refusal += toText(delta.refusal);
    const calls = [...toRecords(delta.tool_calls), ...toRecords(delta.function_call)];
    return [
      ...draft.addReasoning(readReasoning(delta, parts)),
      ...readContent(delta.content).flatMap(({ text, isReasoning }) =>
        isReasoning ? draft.addReasoning(text) : draft.addText(text),
      ),
      ...drafts.push(calls),
    ];
  }

  /** The host's calls; if there are none, those that the model wrote as text. */
  async function settleCalls() {
    const { calls, malformed } = await drafts.settle();
    const held = draft.held();
    if (calls.length > 0) return { calls: withDetails(calls, details), malformed, text: held };
    const parsed = await parseTextCalls(held, (name) => tools.has(name));
    const isApart = parsed.calls.length > 0 && parsed.text !== "" && draft.text() !== "";
    const written = parsed.calls.map(
      (call, index): ToolCall => ({ id: `call_${index}`, type: "function", function: call }),
    );
    const text = isApart ? `\n\n${parsed.text}` : parsed.text;
    return { calls: withDetails(written, details), malformed, text };
  }

  return {
    push(chunk) {
      const choice = toRecords(chunk.choices).find(({ index = 0 }) => index === 0);
      usage = readUsage(chunk, choice) ?? usage;
      if (choice === undefined) return [];
      const { delta, message } = choice;
      // Some hosts repeat the whole message in the last chunk; it counts only where nothing was streamed.
      const hasBegun = draft.hasBegun() || !drafts.isEmpty();
      const news = delta ?? (hasBegun ? undefined : message);
      finish ||= toText(choice.finish_reason) || toText(choice.stop_reason);
      return isRecord(news) ? readDelta(news) : [];
    },
    finish: () => finish,
    isOver: () => false,
    async end() {
      const stop = refusal === "" ? toStop(finish) : "refusal";
      const events = draft.release(stop);
      // Calls of an answer that was cut or refused are not to be carried out.
      const { text, ...settled } = stop === "stop" ? await settleCalls() : { calls: [], text: draft.held() };
      events.push(...draft.show(text));
      const isReasoning = quirks.reasoningAsContent && stop === "stop" && settled.calls.length === 0;
      const instead = isReasoning ? draft.reasoning() : toWellFormed(refusal.trim());
      if (draft.text() === "") events.push(...draft.show(instead));
      return [...events, draft.toEnd({ stop, model, usage, ...settled })];
    },
    fail: (error) => [...draft.release(), draft.toEnd({ stop: "error", model, usage, error })],
  };
}

/** Of the fields that carry the same reasoning one counts. */
function readReasoning(delta: Json, details: readonly ReasoningDetail[]): string {
  const field = toText(delta.reasoning_content) || toText(delta.reasoning);
  return field || details.map(({ text, summary }) => toText(text) || toText(summary)).join("");
}

/** A string, or parts; Mistral's magistral models put their reasoning into parts of type "thinking". */
function readContent(content: unknown): Array<{ text: string; isReasoning: boolean }> {
  if (typeof content === "string") return [{ text: content, isReasoning: false }];
  return toRecords(content).map(({ type, text, thinking }) => {
    if (type !== "thinking") return { text: toText(text), isReasoning: false };
    const thoughts = readContent(thinking).map((part) => part.text);
    return { text: thoughts.join(""), isReasoning: true };
  });
}

function withDetails(calls: ToolCall[], details: readonly ReasoningDetail[]): ToolCall[] {
  const [first, ...rest] = calls;
  if (first === undefined || !isOpaque(details)) return calls;
  const extra = isRecord(first.extra_content) ? first.extra_content : {};
  return [{ ...first, extra_content: { ...extra, reasoning_details: details } }, ...rest];
}

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

/**
 * Signatures and encrypted parts: they travel as opaque data with the first tool call, which is when hosts want them back.
 * Plain reasoning is kept as `reasoning_content`.
 */
export function isOpaque(details: readonly ReasoningDetail[]): boolean {
  return details.some(({ data, signature }) => data !== undefined || typeof signature === "string");
}

/** Token counts, in the shapes that hosts use. Undefined when the chunk counts nothing; hosts that count in every chunk count upwards. */
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
