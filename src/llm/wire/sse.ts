// Server-sent events of one response. A host that answers with plain JSON although a stream was asked for gives
// one event that holds the whole body. Knows nothing of what the data means.

import { createParser } from "eventsource-parser";
import { onAbort } from "../../lib/abort.ts";
import type { ByteReader, WireResponse } from "../hosts/host.ts";
import { AnswerTooLong, largestEvent, largestStream } from "./chunk.ts";

export interface ServerSentEvent {
  event?: string;
  data: string;
}

const drainMs = 50;
const mostDrained = 256 * 1024;

/** Ends at once with the signal's reason when it aborts. */
export async function* readServerSentEvents(
  { body }: Pick<WireResponse, "body">,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void> {
  if (body === null) return;
  const queue: ServerSentEvent[] = [];
  const events = createEventDecoder(queue);
  const characters = new TextDecoder();
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  const forget = onAbort(signal, stop);
  let size = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > largestStream) throw new AnswerTooLong(largestStream / 1024 / 1024, "MB");
      events.feed(characters.decode(value, { stream: true }));
      for (const event of queue.splice(0)) yield event;
    }
    signal.throwIfAborted();
    events.feed(characters.decode());
    events.end();
    for (const event of queue) yield event;
  } finally {
    forget();
    if (!signal.aborted) await drain(reader);
    await reader.cancel().catch(() => {});
  }
}

/**
 * A consumer stops at the host's last event, usually a moment before the body ends. Waiting for that end keeps the
 * connection for the next request; a host that holds it open, or goes on and on, is left after a moment.
 */
async function drain(reader: ByteReader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), drainMs);
  try {
    for (let size = 0; size < mostDrained; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
    }
  } catch {
    // It broke after all that mattered had come.
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(): AnswerTooLong {
  return new AnswerTooLong(largestEvent / 1024 / 1024, "MB");
}

function createEventDecoder(queue: ServerSentEvent[]) {
  const parser = createParser({
    maxBufferSize: largestEvent,
    // It keeps a connection alive; its text does not matter.
    onComment: () => queue.push({ data: "" }),
    onEvent: ({ event, data }) => queue.push(event === undefined ? { data } : { event, data }),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw tooLarge();
    },
  });
  let form: "unknown" | "events" | "whole" = "unknown";
  const whole: string[] = [];
  let wholeLength = 0;

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
      if (form !== "whole") return;
      wholeLength += piece.length;
      if (wholeLength > largestEvent) throw tooLarge();
      whole.push(piece);
    },
    end(): void {
      if (form === "whole") queue.push({ data: whole.join("") });
      // Some hosts leave out the blank line after the last event.
      if (form === "events") parser.feed("\n\n");
    },
  };
}
