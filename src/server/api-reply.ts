// The answer to a chat completion request: one object, or a stream of chunks as server-sent events.
import type { TurnOutcome } from "../agent/job.ts";
import type { Usage } from "../lib/usage.ts";
import type { ApiDeltas, Delta } from "./api-deltas.ts";
import { ApiError, toErrorBody } from "./api-error.ts";

/** What all parts of a reply share. */
export interface ReplyHead {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

export function toCompletion(head: ReplyHead, { text, stop, usage }: TurnOutcome, reasoning: string) {
  const message = {
    role: "assistant",
    content: text,
    refusal: null,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: toFinishReason(stop) };
  return { ...head, object: "chat.completion", choices: [choice], usage: toUsage(usage) };
}

export interface StreamParts {
  head: ReplyHead;
  deltas: ApiDeltas;
  /** As they come; null where only time has passed. */
  events: AsyncIterable<Delta | null>;
  /** Rejects with an ApiError where there is no answer. */
  outcome: Promise<TurnOutcome>;
  includesUsage: boolean;
}

/** Until `[DONE]`, or until an error, after which there is nothing more. */
export async function* streamCompletion({
  head,
  deltas,
  events,
  outcome,
  includesUsage,
}: StreamParts): AsyncGenerator<string> {
  const toChunk = (delta: object, finish: string | null = null) =>
    toEvent({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includesUsage && { usage: null }),
    });
  yield toChunk({ role: "assistant", content: "" });
  for await (const delta of events) yield delta === null ? ": still at work\n\n" : toChunk(delta);
  try {
    const { text, stop, usage } = await outcome;
    if (!deltas.hasContent && text !== "") yield toChunk({ content: text });
    yield toChunk({}, toFinishReason(stop));
    if (includesUsage)
      yield toEvent({ ...head, object: "chat.completion.chunk", choices: [], usage: toUsage(usage) });
    yield "data: [DONE]\n\n";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield toEvent(toErrorBody(error));
  }
}

function toEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toFinishReason(stop: TurnOutcome["stop"]): string {
  return stop === "max-steps" ? "length" : "stop";
}

function toUsage({ input, cached, output }: Usage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
