// Server-sent events of one response. A host that answers with plain JSON although a stream was asked for gives
// one event that holds the whole body. Knows nothing of what the data means.
import { createParser } from "eventsource-parser";
import { untilAborted } from "../lib/abort.ts";

export interface ServerSentEvent {
  event?: string;
  data: string;
}

const largestEvent = 16 * 1024 * 1024;
const largestAnswer = 64 * 1024 * 1024;
const drainMs = 50;

export async function* readServerSentEvents(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void> {
  const queue: ServerSentEvent[] = [];
  const decoder = createEventDecoder(queue);
  for await (const text of readText(response, signal)) {
    decoder.feed(text);
    yield* queue.splice(0);
  }
  decoder.end();
  yield* queue;
}

/** The body as text, whole characters only. Ends at once with the signal's reason when it aborts. */
async function* readText(response: Response, signal: AbortSignal): AsyncGenerator<string, void> {
  if (response.body === null) return;
  const reader: Reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) break;
      size += value.length;
      if (size > largestAnswer) throw new Error("an answer of more than 64 MB");
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    if (!signal.aborted) await drain(reader);
    await reader.cancel().catch(() => {});
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * A consumer stops at the host's last event, usually a moment before the body ends. Waiting for that end keeps the
 * connection for the next request; a host that holds it open is left after a moment.
 */
async function drain(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), drainMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke after all that mattered had come.
  } finally {
    clearTimeout(timer);
  }
}

function createEventDecoder(queue: ServerSentEvent[]) {
  const parser = createParser({
    maxBufferSize: largestEvent,
    onEvent: ({ event, data }) => queue.push(event === undefined ? { data } : { event, data }),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new Error("a single event of more than 16 MB");
    },
  });
  let form: "unknown" | "events" | "whole" = "unknown";
  const whole: string[] = [];

  /** No line of an event stream begins with a brace; a JSON body does. A web page is left to the reader too. */
  function begin(text: string): string {
    const trimmed = text.trimStart();
    if (trimmed !== "") form = "{[<".includes(trimmed.charAt(0)) ? "whole" : "events";
    return trimmed;
  }

  return {
    feed(text: string): void {
      const piece = form === "unknown" ? begin(text) : text;
      if (form === "events") parser.feed(piece);
      if (form === "whole") whole.push(piece);
    },
    end(): void {
      if (form === "whole") queue.push({ data: whole.join("") });
      // Some hosts leave out the blank line after the last event.
      if (form === "events") parser.feed("\n\n");
    },
  };
}
