// The answer to a request at /v1/responses: one object, or a stream of events. Thoughts and lines about tools are left out:
// they are only in chat completions.
import type { Usage } from "../../lib/usage.ts";
import type { ApiError } from "../http/api-error.ts";
import { toErrorBody } from "../http/api-error.ts";
import type { ApiOutcome, Delta, ReplyHead, ReplyStream, StreamParts } from "./api-reply.ts";
import type { HandedCall } from "./client-tools.ts";

export function toResponse({ id, created, model }: ReplyHead, outcome: ApiOutcome) {
  const { text, stop, usage, calls = [] } = outcome;
  const isCut = stop === "max-steps";
  const said = text === "" && calls.length > 0 ? [] : [toMessageItem(id, text)];
  return {
    ...toHead({ id, created, model }, isCut ? "incomplete" : "completed"),
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: [...said, ...calls.map(toCallItem)],
    usage: toUsage(usage),
  };
}

function toHead({ id, created, model }: ReplyHead, status: string) {
  return {
    id,
    object: "response",
    created_at: created,
    status,
    model,
    error: null,
    incomplete_details: null as { reason: string } | null,
    instructions: null,
    metadata: {},
    output: [] as object[],
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
  };
}

function toMessageItem(id: string, text: string, status = "completed") {
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { id: `msg_${id}`, type: "message", status, role: "assistant", content };
}

function toCallItem({ id, name, arguments: json }: HandedCall) {
  return { id: `fc_${id}`, type: "function_call", status: "completed", call_id: id, name, arguments: json };
}

function toUsage({ input, cached, output }: Usage) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

/** Numbered events; the message begins with its first text. */
export class ResponseStream implements ReplyStream {
  readonly #parts: StreamParts;
  #hasBegun = false;
  #text: string | undefined;
  #number = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#parts.begin();
    const response = toHead(this.#parts.head, "in_progress");
    this.#write("response.created", { response });
    this.#write("response.in_progress", { response });
  }

  add({ content }: Delta): void {
    if (content === undefined) return;
    this.begin();
    const { id } = this.#parts.head;
    const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
    if (this.#text === undefined) {
      const item = { ...toMessageItem(id, "", "in_progress"), content: [] };
      this.#write("response.output_item.added", { output_index: 0, item });
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
      this.#write("response.content_part.added", { ...place, part });
    }
    this.#text = (this.#text ?? "") + content;
    this.#write("response.output_text.delta", { ...place, delta: content, logprobs: [] });
  }

  showLife(): void {
    this.#parts.write(": still at work\n\n");
  }

  end(outcome: ApiOutcome): void {
    this.begin();
    if (this.#text === undefined && outcome.text !== "") this.add({ content: outcome.text });
    const { head } = this.#parts;
    const said = this.#text;
    if (said !== undefined) {
      const place = { item_id: `msg_${head.id}`, output_index: 0, content_index: 0 };
      const item = toMessageItem(head.id, said);
      this.#write("response.output_text.done", { ...place, text: said, logprobs: [] });
      this.#write("response.content_part.done", { ...place, part: item.content[0] });
      this.#write("response.output_item.done", { output_index: 0, item });
    }
    for (const [index, call] of (outcome.calls ?? []).entries()) {
      const item = toCallItem(call);
      const place = { output_index: index + (said === undefined ? 0 : 1) };
      const { arguments: json, id } = item;
      this.#write("response.output_item.added", { ...place, item: { ...item, arguments: "" } });
      this.#write("response.function_call_arguments.delta", { ...place, item_id: id, delta: json });
      this.#write("response.function_call_arguments.done", { ...place, item_id: id, arguments: json });
      this.#write("response.output_item.done", { ...place, item });
    }
    const response = toResponse(head, { ...outcome, text: said ?? "" });
    this.#write(response.status === "incomplete" ? "response.incomplete" : "response.completed", {
      response,
    });
  }

  fail(error: ApiError): void {
    const { message, code, param } = toErrorBody(error).error;
    this.#write("error", { message, code, param });
  }

  #write(type: string, data: object): void {
    const event = { type, sequence_number: this.#number++, ...data };
    this.#parts.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
}
