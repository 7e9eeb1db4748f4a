// One streamed chat completion put together: chunks in, events out, and at the end one settled reply. Knows the many
// ways in which hosts differ from the documentation, but no host by name.
import { isRecord } from "../lib/is-record.ts";
import { toWellFormed } from "../lib/text.ts";
import type { Usage } from "../lib/usage.ts";
import type { ModelQuirks } from "./host.ts";
import { toRecords, toText } from "./json-value.ts";
import { readUsage } from "./openai-usage.ts";
import { addDetail, isOpaque, type ReasoningDetail } from "./reasoning-replay.ts";
import { createReplyDraft, toStop } from "./reply-draft.ts";
import type { ReplyBuilder } from "./stream-reply.ts";
import { parseTextCalls } from "./tool-arguments.ts";
import { createToolCallDrafts } from "./tool-call-drafts.ts";
import type { ModelEvent, ModelRequest, ToolCall } from "./types.ts";

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

  /** The host's calls, or those that the model wrote as text where the host made none of them. */
  async function settleCalls() {
    const { calls, malformed } = await drafts.settle();
    const held = draft.held();
    if (calls.length > 0) return { calls: withDetails(calls, details), malformed, text: held };
    const found = await parseTextCalls(held, (name) => tools.has(name));
    const isApart = found.calls.length > 0 && found.text !== "" && draft.text() !== "";
    const written = found.calls.map(
      (call, index): ToolCall => ({ id: `call_${index}`, type: "function", function: call }),
    );
    const text = isApart ? `\n\n${found.text}` : found.text;
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
