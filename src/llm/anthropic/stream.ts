// Assembles one streamed reply of the Messages protocol: events in, deltas out, and at the end one reply.
import { isRecord } from "../../lib/is-record.ts";
import { noUsage, type Usage } from "../../lib/usage.ts";
import type { ModelEvent, ModelRequest, ThinkingBlock } from "../types.ts";
import { toCount, toRecords, toText } from "../wire/chunk.ts";
import { createReplyDraft, type ReplyDraft, toStop } from "../wire/reply-draft.ts";
import { createToolCallDrafts } from "../wire/tool-calls.ts";
import type { ReplyBuilder } from "../wire/wire-provider.ts";
import { toThought } from "./turns.ts";

type Json = Record<string, unknown>;

export function createMessageBuilder(request: ModelRequest): ReplyBuilder {
  const draft = createReplyDraft({ mayHoldCalls: false });
  const blocks = createBlocks(draft);
  /** The requested model, until the service names the one that answers. */
  let { model } = request;
  let usage: Usage | undefined;
  let stopReason = "";
  let isOver = false;

  function push(event: Json): ModelEvent[] {
    const { type, index, message, content_block: block, delta } = event;
    const position = typeof index === "number" ? index : 0;
    if (type === "message_start" && isRecord(message)) return readHead(message);
    if (type === "content_block_start" && isRecord(block)) return blocks.open(position, block);
    if (type === "content_block_delta" && isRecord(delta)) return blocks.extend(position, delta);
    if (type === "message_delta") return readHead({ ...(isRecord(delta) ? delta : {}), usage: event.usage });
    // A host that does not stream although asked to sends the whole message.
    if (type === "message_stop" || type === "message") isOver = true;
    return type === "message" ? readHead(event) : [];
  }

  /** Fields of the whole message, at its start or at its end. */
  function readHead(message: Json): ModelEvent[] {
    model = toText(message.model) || model;
    stopReason = toText(message.stop_reason) || stopReason;
    if (isRecord(message.usage)) usage = readUsage(message.usage, usage);
    return toRecords(message.content).flatMap((block, index) => blocks.open(index, block));
  }

  return {
    push,
    isOver: () => isOver,
    finish: () => (isOver ? stopReason || "end_turn" : stopReason),
    async end() {
      const stop = toStop(stopReason);
      const events = draft.release(stop);
      // Calls of an answer that was cut or refused are not to be carried out.
      const settled = stop === "stop" ? await blocks.settleCalls() : undefined;
      return [...events, draft.toEnd({ stop, model, usage, ...settled, thoughts: blocks.thoughts() })];
    },
    fail: (error) => [...draft.release(), draft.toEnd({ stop: "error", model, usage, error })],
  };
}

/** The content blocks of a reply as they are opened and grow. */
function createBlocks(draft: ReplyDraft) {
  const calls = createToolCallDrafts();
  /** Complete inputs of calls, from whole messages and some streams; pieces that follow replace them. */
  const inputs = new Map<number, unknown>();
  const thoughts: ThinkingBlock[] = [];
  const begun = new Set<unknown>();
  let last: unknown;

  /** Text that continues after other blocks begins a new paragraph; adjacent text blocks are one text. */
  function takeGap(type: unknown): string {
    const isNewPassage = begun.has(type) && (last !== type || type === "thinking");
    begun.add(type);
    last = type;
    return isNewPassage ? "\n\n" : "";
  }

  function open(index: number, { type, text, thinking, ...rest }: Json): ModelEvent[] {
    const gap = takeGap(type);
    if (type === "text") return draft.addText(gap + toText(text));
    if (type === "tool_use") {
      inputs.set(index, rest.input);
      return calls.push([{ index, id: rest.id, name: rest.name }]);
    }
    if (type !== "thinking" && type !== "redacted_thinking") return [];
    const [signature, data] = [toText(rest.signature), toText(rest.data)];
    thoughts.push({ type, thinking: toText(thinking), signature, data });
    return draft.addReasoning(gap + toText(thinking));
  }

  function extend(index: number, delta: Json): ModelEvent[] {
    if (delta.type === "text_delta") return draft.addText(toText(delta.text));
    if (delta.type === "input_json_delta") return extendCall(index, toText(delta.partial_json));
    const thought = thoughts.at(-1);
    if (thought === undefined) return [];
    if (delta.type === "signature_delta") thought.signature += toText(delta.signature);
    if (delta.type !== "thinking_delta") return [];
    thought.thinking += toText(delta.thinking);
    return draft.addReasoning(toText(delta.thinking));
  }

  function extendCall(index: number, json: string): ModelEvent[] {
    if (json === "" || !inputs.has(index)) return [];
    inputs.set(index, undefined);
    return calls.push([{ index, arguments: json }]);
  }

  return {
    open,
    extend,
    /** Only what the service signed or sealed can be sent back. */
    thoughts: () => thoughts.flatMap(toThought),
    settleCalls() {
      for (const [index, input] of inputs) if (isRecord(input)) calls.push([{ index, arguments: input }]);
      return calls.settle();
    },
  };
}

/** Counts in later events replace earlier ones: they are totals. `input_tokens` excludes what the cache read or wrote. */
function readUsage(usage: Json, before: Usage = noUsage): Usage {
  const cached = toCount(usage.cache_read_input_tokens);
  const input = toCount(usage.input_tokens) + cached + toCount(usage.cache_creation_input_tokens);
  const output = toCount(usage.output_tokens) || before.output;
  return input === 0 ? { ...before, output } : { input, cached, output };
}
