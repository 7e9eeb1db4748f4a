// One streamed chat completion put together: chunks in, events out, and at the end one settled reply. Knows the many
// ways in which hosts differ from the documentation, but no host by name.
import { toWellFormed } from "../lib/text.ts";
import type { Usage } from "../lib/usage.ts";
import { isRecord, toRecords, toText } from "./json-value.ts";
import { createAnswer } from "./openai-answer.ts";
import { createToolCallDrafts } from "./openai-tool-calls.ts";
import { readUsage } from "./openai-usage.ts";
import { addDetail, isOpaque, type ReasoningDetail } from "./reasoning-replay.ts";
import { parseTextCalls } from "./tool-arguments.ts";
import type {
  AssistantMessage,
  ModelEvent,
  ModelReply,
  ModelRequest,
  ProviderError,
  ToolCall,
} from "./types.ts";

type Json = Record<string, unknown>;

export interface ReplyBuilderOptions {
  request: ModelRequest;
  /** The answer may arrive as reasoning while the content stays empty. */
  isReasoningContent: boolean;
}

export interface ReplyBuilder {
  push(chunk: Json): ModelEvent[];
  /** How the host says that the reply ended; empty until it says so. */
  finish(): string;
  end(): Promise<ModelEvent[]>;
  /** The reply as far as it came, ended by a failure. */
  fail(error: ProviderError): ModelEvent[];
}

export function createReplyBuilder({ request, isReasoningContent }: ReplyBuilderOptions): ReplyBuilder {
  const tools = new Set(request.toolChoice === "none" ? [] : request.tools?.map(({ name }) => name));
  const answer = createAnswer(tools.size > 0);
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
      ...answer.addReasoning(readReasoning(delta, parts)),
      ...readContent(delta.content).flatMap(({ text, isReasoning }) =>
        isReasoning ? answer.addReasoning(text) : answer.addText(text),
      ),
      ...drafts.push(calls),
    ];
  }

  function hasBegun(): boolean {
    return answer.text() !== "" || answer.reasoning() !== "" || !drafts.isEmpty();
  }

  /** Calls written as text, where the host made none of them. */
  async function readHeld(mayCall: boolean): Promise<{ events: ModelEvent[]; calls: ToolCall[] }> {
    const held = answer.held();
    const found = mayCall ? await parseTextCalls(held, (name) => tools.has(name)) : { text: held, calls: [] };
    const isApart = found.calls.length > 0 && found.text !== "" && answer.text() !== "";
    const calls = found.calls.map(
      (call, index): ToolCall => ({ id: `call_${index}`, type: "function", function: call }),
    );
    return { events: answer.show(isApart ? `\n\n${found.text}` : found.text), calls };
  }

  function toReply(calls: ToolCall[], outcome: Pick<ModelReply, "stop" | "error">): ModelReply {
    const message: AssistantMessage = {
      role: "assistant",
      content: answer.text() === "" ? null : answer.text(),
    };
    if (calls.length > 0) message.tool_calls = withDetails(calls, details);
    const reasoning = answer.reasoning();
    if (reasoning !== "" && reasoning !== message.content) message.reasoning_content = reasoning;
    return { message, ...outcome, model: request.model, ...(usage === undefined ? {} : { usage }) };
  }

  return {
    push(chunk) {
      const choice = toRecords(chunk.choices).find(({ index = 0 }) => index === 0);
      usage = readUsage(chunk, choice) ?? usage;
      if (choice === undefined) return [];
      const { delta, message } = choice;
      // Some hosts repeat the whole message in the last chunk; it counts only where nothing was streamed.
      const isWhole = isRecord(message) && !hasBegun();
      const events = isRecord(delta) ? readDelta(delta) : isWhole ? readDelta(message) : [];
      finish ||= toText(choice.finish_reason) || toText(choice.stop_reason);
      return events;
    },
    finish: () => finish,
    async end() {
      const events = answer.end();
      const stop = refusal === "" ? toStop(finish) : "refusal";
      const mayCall = stop === "stop" || stop === "tool-calls";
      const { calls, malformed } = await drafts.settle();
      const held = await readHeld(mayCall && calls.length === 0);
      const kept = mayCall ? [...calls, ...held.calls] : [];
      events.push(...held.events);
      if (answer.text() === "" && refusal !== "") events.push(...answer.show(toWellFormed(refusal.trim())));
      const isAnswer = isReasoningContent && answer.text() === "" && kept.length === 0 && mayCall;
      if (isAnswer && answer.reasoning() !== "") events.push(...answer.show(answer.reasoning()));
      const reply = toReply(kept, { stop: mayCall ? (kept.length > 0 ? "tool-calls" : "stop") : stop });
      if (mayCall && malformed > 0) reply.malformedCalls = malformed;
      return [...events, { type: "reply-end", reply }];
    },
    fail(error) {
      const events = answer.end();
      return [...events, { type: "reply-end", reply: toReply([], { stop: "error", error }) }];
    },
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
  return toRecords(content).map(({ type, text, thinking }) =>
    type === "thinking"
      ? {
          text: readContent(thinking)
            .map((part) => part.text)
            .join(""),
          isReasoning: true,
        }
      : { text: toText(text), isReasoning: false },
  );
}

function toStop(finish: string): Exclude<ModelReply["stop"], "error"> {
  if (/^(tool_calls|function_call|tool_use)$/.test(finish)) return "tool-calls";
  // Mistral: "model_length"
  if (/^(length|max_tokens|model_length|max_output_tokens)$/.test(finish)) return "length";
  // Zhipu: "sensitive"
  if (/^(content_filter|refusal|sensitive|safety)$/i.test(finish)) return "refusal";
  return "stop";
}

function withDetails(calls: ToolCall[], details: readonly ReasoningDetail[]): ToolCall[] {
  const [first, ...rest] = calls;
  if (first === undefined || !isOpaque(details)) return calls;
  const extra = isRecord(first.extra_content) ? first.extra_content : {};
  return [{ ...first, extra_content: { ...extra, reasoning_details: details } }, ...rest];
}
