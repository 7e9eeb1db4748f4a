// One streamed reply of the Messages protocol put together: events in, deltas out, and at the end one settled reply.
import { toWellFormed } from "../lib/text.ts";
import { noUsage, type Usage } from "../lib/usage.ts";
import { createBlockDrafts, type Piece } from "./anthropic-blocks.ts";
import { isRecord, toRecords, toText } from "./json-value.ts";
import { createAnswer } from "./openai-answer.ts";
import type {
  AssistantMessage,
  ModelEvent,
  ModelReply,
  ProviderError,
  ThinkingBlock,
  ToolCall,
} from "./types.ts";

type Json = Record<string, unknown>;

export interface MessageBuilder {
  push(event: Json): ModelEvent[];
  /** Nothing more is to come. */
  isOver(): boolean;
  /** The service said how the reply ended; without it the stream broke off. */
  hasEnded(): boolean;
  end(): Promise<ModelEvent[]>;
  /** The reply as far as it came, ended by a failure. */
  fail(error: ProviderError): ModelEvent[];
}

/** `model` is for a service that does not say which one answered. */
export function createMessageBuilder({ model }: { model: string }): MessageBuilder {
  const drafts = createBlockDrafts();
  const answer = createAnswer(false);
  let answering = model;
  let usage: Usage | undefined;
  let stopReason = "";
  let isOver = false;

  function push(event: Json): ModelEvent[] {
    const { type, index, message, content_block: block, delta } = event;
    const place = typeof index === "number" ? index : 0;
    if (type === "message_start" && isRecord(message)) return readHead(message);
    if (type === "content_block_start" && isRecord(block)) return show(drafts.open(place, block));
    if (type === "content_block_delta" && isRecord(delta)) return show(drafts.extend(place, delta));
    if (type === "message_delta") return readHead({ ...(isRecord(delta) ? delta : {}), usage: event.usage });
    // A host that does not stream although it was asked to sends the message itself.
    if (type === "message_stop" || type === "message") isOver = true;
    return type === "message" ? readHead(event) : [];
  }

  /** What is said of the whole message, at its start or at its end. */
  function readHead(message: Json): ModelEvent[] {
    answering = toText(message.model) || answering;
    stopReason = toText(message.stop_reason) || stopReason;
    if (isRecord(message.usage)) usage = readUsage(message.usage, usage);
    return toRecords(message.content).flatMap((block, index) => show(drafts.open(index, block)));
  }

  function show(piece: Piece): ModelEvent[] {
    if (piece.type === "text") return answer.addText(piece.text);
    if (piece.type === "reasoning") return answer.addReasoning(piece.text);
    return piece.type === "call" ? [piece.event] : [];
  }

  function toReply(outcome: Pick<ModelReply, "stop" | "error">, blocks: Blocks = {}): ModelReply {
    const { calls = [], thoughts = [] } = blocks;
    const text = toWellFormed(answer.text());
    const message: AssistantMessage = { role: "assistant", content: text === "" ? null : text };
    if (calls.length > 0) message.tool_calls = calls;
    if (thoughts.length > 0) message.thinking_blocks = thoughts;
    // Thinking that nobody signed cannot be sent back, but it can be read.
    else if (answer.reasoning() !== "") message.reasoning_content = toWellFormed(answer.reasoning());
    return { message, ...outcome, model: answering, ...(usage === undefined ? {} : { usage }) };
  }

  return {
    push,
    isOver: () => isOver,
    hasEnded: () => isOver || stopReason !== "",
    async end() {
      const events = answer.end();
      const stop = toStop(stopReason);
      // Calls of an answer that was cut or refused are not to be carried out.
      const { calls, malformed } = stop === "stop" ? await drafts.settleCalls() : { calls: [], malformed: 0 };
      const outcome = { stop: calls.length > 0 ? "tool-calls" : stop } as const;
      const reply = toReply(outcome, { calls, thoughts: drafts.thoughts() });
      if (malformed > 0) reply.malformedCalls = malformed;
      return [...events, { type: "reply-end", reply }];
    },
    fail(error) {
      const events = answer.end();
      return [...events, { type: "reply-end", reply: toReply({ stop: "error", error }) }];
    },
  };
}

interface Blocks {
  calls?: ToolCall[];
  thoughts?: ThinkingBlock[];
}

/** Counts in later events replace earlier ones: they are totals. What the cache took or gave is no part of `input_tokens`. */
function readUsage(usage: Json, before: Usage = noUsage): Usage {
  const cached = toCount(usage.cache_read_input_tokens);
  const input = toCount(usage.input_tokens) + cached + toCount(usage.cache_creation_input_tokens);
  const output = toCount(usage.output_tokens) || before.output;
  return input === 0 ? { ...before, output } : { input, cached, output };
}

function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function toStop(reason: string): "stop" | "length" | "refusal" {
  // "pause_turn": the service interrupts a long turn of its own and goes on when its words are sent back.
  if (/^(max_tokens|model_context_window_exceeded|pause_turn)$/.test(reason)) return "length";
  return reason === "refusal" ? "refusal" : "stop";
}
