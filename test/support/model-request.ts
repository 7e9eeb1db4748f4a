// A plain request for a model, and everything that a provider says to it.
import type { ModelEvent, ModelReply, ModelRequest, Provider } from "../../src/llm/types.ts";

export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    maxTokens: 1000,
    messages: [
      { role: "system", content: "You are a test." },
      { role: "user", content: "Hello" },
    ],
    attribution: { cause: "user", sessionKey: "cli:direct", turnId: "t1" },
    ...changes,
  };
}

export async function collectEvents(
  provider: Provider,
  request: ModelRequest = modelRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, signal)) events.push(event);
  return events;
}

/** The one reply that every stream ends with. */
export function replyOf(events: readonly ModelEvent[]): ModelReply {
  const last = events.at(-1);
  if (last?.type !== "reply-end") throw new Error(`the stream ended with ${last?.type ?? "nothing"}`);
  return last.reply;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}
