// Assembles one streamed response: events in, events out, and at the end one reply. What a host sends only at the end of an
// item, or only as one whole response, counts as well.
import { isRecord } from "../../lib/is-record.ts";
import { toWellFormed } from "../../lib/text.ts";
import type { Usage } from "../../lib/usage.ts";
import { readUsage } from "../openai/stream.ts";
import type { ModelEvent, ModelRequest, ToolCall } from "../types.ts";
import { mostCalls, toRecords, toText } from "../wire/chunk.ts";
import { createReplyDraft, toStop } from "../wire/reply-draft.ts";
import { createToolCallDrafts } from "../wire/tool-calls.ts";
import type { ReplyBuilder } from "../wire/wire-provider.ts";
import { isReasoning, type ReasoningItem, reasoningKey } from "./items.ts";

type Json = Record<string, unknown>;

/** Of reasoning that goes back with the conversation. */
const largestReasoning = 1024 * 1024;

export function createResponseBuilder({ model }: ModelRequest): ReplyBuilder {
  const draft = new ResponseDraft();
  return {
    push: (event) => draft.read(event),
    finish: () => draft.finish,
    isOver: () => draft.finish !== "",
    async end() {
      const { reply, usage } = draft;
      const stop = draft.refusal === "" ? toStop(draft.finish) : "refusal";
      const events = reply.release(stop);
      // Calls of an answer that was cut or refused are not to be carried out.
      const { calls, malformed } = stop === "stop" ? await draft.settle() : { calls: [], malformed: 0 };
      if (reply.text() === "") events.push(...reply.show(toWellFormed(draft.refusal.trim())));
      return [...events, reply.toEnd({ stop, model, usage, malformed, calls })];
    },
    fail: (error) => [
      ...draft.reply.release(),
      draft.reply.toEnd({ stop: "error", model, usage: draft.usage, error }),
    ],
  };
}

class ResponseDraft {
  readonly reply = createReplyDraft({ mayHoldCalls: false });
  readonly #calls = createToolCallDrafts();
  /** Items that were streamed at least in part, by their place in the output. */
  readonly #begun = new Set<unknown>();
  /** By the id of the call that it came before. */
  readonly #reasoningOf = new Map<string, ReasoningItem[]>();
  #reasoning: ReasoningItem[] = [];
  #reasoningSize = 0;
  refusal = "";
  /** How the host says that the reply ended; empty until it says so. */
  finish = "";
  usage: Usage | undefined;

  read(event: Json): ModelEvent[] {
    const { output_index: place, item, delta, response } = event;
    switch (event.type) {
      case "response.output_text.delta":
        this.#begun.add(place);
        return this.reply.addText(toText(delta));
      case "response.refusal.delta":
        this.#begun.add(place);
        this.refusal += toText(delta);
        return [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#begun.add(place);
        return this.reply.addReasoning(toText(delta));
      case "response.reasoning_summary_part.done":
        return this.reply.addReasoning("\n\n");
      case "response.function_call_arguments.delta":
        this.#begun.add(`arguments ${place}`);
        return this.#calls.push([{ index: place, arguments: delta }]);
      case "response.output_item.added":
        return isRecord(item) ? this.#beginItem(place, item) : [];
      case "response.output_item.done":
        return isRecord(item) ? this.#endItem(place, item) : [];
      case "response.completed":
      case "response.incomplete":
      case "response.done":
        // Its items have all come; only what came as a whole is read from here.
        return this.#endAll(isRecord(response) ? response : {}, this.#begun.size === 0);
      default:
        return event.object === "response" ? this.#endAll(event, true) : [];
    }
  }

  async settle() {
    const { calls, malformed } = await this.#calls.settle();
    const withReasoning = calls.map((call): ToolCall => {
      const items = this.#reasoningOf.get(call.id);
      return items === undefined ? call : { ...call, extra_content: { [reasoningKey]: items } };
    });
    return { calls: withReasoning, malformed };
  }

  #beginItem(place: unknown, item: Json): ModelEvent[] {
    if (item.type !== "function_call" || this.#begun.has(place)) return [];
    this.#begun.add(place);
    const id = toText(item.call_id) || toText(item.id);
    if (this.#reasoning.length > 0 && this.#reasoningOf.size < mostCalls)
      this.#reasoningOf.set(id, this.#reasoning);
    this.#reasoning = [];
    return this.#calls.push([{ index: place, id, name: item.name, arguments: "" }]);
  }

  /** Its whole text or arguments, where nothing of them was streamed. */
  #endItem(place: unknown, item: Json): ModelEvent[] {
    if (item.type === "reasoning") return this.#endReasoning(place, item);
    if (item.type === "function_call") {
      const events = this.#beginItem(place, item);
      if (this.#begun.has(`arguments ${place}`)) return events;
      return [...events, ...this.#calls.push([{ index: place, arguments: item.arguments }])];
    }
    if (item.type !== "message" || this.#begun.has(place)) return [];
    this.#begun.add(place);
    return toRecords(item.content).flatMap((part) => {
      this.refusal += toText(part.refusal);
      return this.reply.addText(toText(part.text));
    });
  }

  #endReasoning(place: unknown, item: Json): ModelEvent[] {
    const { id, encrypted_content } = item;
    const kept = { type: "reasoning", id, summary: item.summary ?? [], encrypted_content };
    this.#reasoningSize += toText(encrypted_content).length;
    if (isReasoning(kept) && this.#reasoningSize <= largestReasoning) this.#reasoning.push(kept);
    const parts = [...toRecords(item.summary), ...toRecords(item.content)].map(({ text }) => toText(text));
    return this.#begun.has(place) ? [] : this.reply.addReasoning(parts.join("\n\n"));
  }

  #endAll(response: Json, isWhole: boolean): ModelEvent[] {
    const items = isWhole ? toRecords(response.output) : [];
    const events = items.flatMap((item, place) => this.#endItem(place, item));
    this.usage = readUsage(response, undefined) ?? this.usage;
    const { reason } = isRecord(response.incomplete_details) ? response.incomplete_details : {};
    this.finish = response.status === "incomplete" ? toText(reason) || "length" : "stop";
    return events;
  }
}
