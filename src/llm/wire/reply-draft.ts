// A reply while it grows, in either protocol: text, reasoning, and at the end one settled message. Inline reasoning
// leaves the text; it counts as the reply's reasoning only when the host sends none in a separate field.
import { GrowingText } from "../../lib/formats/growing-text.ts";
import type { Usage } from "../../lib/usage.ts";
import type {
  AssistantMessage,
  ModelEvent,
  ModelReply,
  ReplyStop,
  ThinkingBlock,
  ToolCall,
} from "../types.ts";
import { createThinkFilter, createTrimmer } from "./think-tags.ts";
import { createTextCallFilter } from "./tool-calls.ts";

export interface ReplyDraft {
  addText(text: string): ModelEvent[];
  addReasoning(text: string): ModelEvent[];
  /** Text that is settled already. */
  show(text: string): ModelEvent[];
  /** Lets go of everything that was withheld only until more came. */
  release(stop?: ReplyStop): ModelEvent[];
  text(): string;
  reasoning(): string;
  /** Something was said or thought. */
  hasBegun(): boolean;
  /** Text that may be calls. */
  held(): string;
  toEnd(outcome: Outcome): ModelEvent;
}

export interface Outcome extends Pick<ModelReply, "stop" | "model" | "error"> {
  usage: Usage | undefined;
  calls?: ToolCall[];
  /** Calls that were left out. */
  malformed?: number;
  thoughts?: ThinkingBlock[];
}

/** Characters of a reply that failed. A longer one is only in the deltas. */
const mostOfFailed = 64 * 1024;

export function createReplyDraft({ mayHoldCalls }: { mayHoldCalls: boolean }): ReplyDraft {
  const think = createThinkFilter();
  const calls = mayHoldCalls ? createTextCallFilter() : undefined;
  const field = createTrimmer();
  const text = new GrowingText();
  const inline = new GrowingText();
  const fromField = new GrowingText();

  function show(piece: string): ModelEvent[] {
    text.add(piece);
    return piece === "" ? [] : [{ type: "text-delta", text: piece }];
  }

  function take(piece: { text: string; reasoning: string }): ModelEvent[] {
    inline.add(piece.reasoning);
    const isShown = piece.reasoning !== "" && fromField.isEmpty;
    const shown = show(calls === undefined ? piece.text : calls.push(piece.text));
    return isShown ? [{ type: "reasoning-delta", text: piece.reasoning }, ...shown] : shown;
  }

  const reasoning = () => fromField.toString() || inline.toString();

  function toMessage({ calls = [], thoughts = [], error }: Outcome): AssistantMessage {
    const isLong = text.length + fromField.length + inline.length > mostOfFailed;
    if (error !== undefined && isLong) return { role: "assistant", content: null };
    const message: AssistantMessage = { role: "assistant", content: text.toString() || null };
    if (calls.length > 0) message.tool_calls = calls;
    if (thoughts.length > 0) message.thinking_blocks = thoughts;
    // Unsigned thinking cannot be sent back to Claude, but it can be read.
    else if (reasoning() !== "" && reasoning() !== text.toString()) message.reasoning_content = reasoning();
    return message;
  }

  return {
    addText: (piece) => take(think.push(piece)),
    addReasoning(piece) {
      field.push(piece);
      const shown = field.take();
      fromField.add(shown);
      return shown === "" ? [] : [{ type: "reasoning-delta", text: shown }];
    },
    show,
    release: (stop) => take(think.end(stop === "length")),
    text: () => text.toString(),
    hasBegun: () => !text.isEmpty || !fromField.isEmpty || !inline.isEmpty,
    reasoning,
    held: () => calls?.end() ?? "",
    toEnd(outcome) {
      const { model, error, usage, malformed = 0 } = outcome;
      const message = toMessage(outcome);
      const stop = message.tool_calls === undefined ? outcome.stop : "tool-calls";
      const reply: ModelReply = { message, stop, model };
      if (usage !== undefined) reply.usage = usage;
      if (error !== undefined) reply.error = error;
      if (malformed > 0) reply.malformedCalls = malformed;
      return { type: "reply-end", reply };
    },
  };
}

// Mistral: "model_length". Anthropic: "pause_turn", when the service interrupts a long turn and goes on when
// its words are sent back.
const cut = /^(length|max_tokens|model_length|max_output_tokens|model_context_window_exceeded|pause_turn)$/;
// Zhipu: "sensitive"
const refused = /^(content_filter|refusal|sensitive|safety)$/i;

/** How a reply ended, in the words of both protocols and their imitators; whether it calls tools is seen by its calls. */
export function toStop(reason: string): "stop" | "length" | "refusal" {
  if (cut.test(reason)) return "length";
  return refused.test(reason) ? "refusal" : "stop";
}
