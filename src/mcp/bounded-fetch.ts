// A fetch whose answers are bounded: a whole body, or one event of a stream of events that may last for days.
import { ServerError } from "./problem.ts";
import { largestMessage, toMegabytes } from "./process-transport.ts";

export type BoundedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function createBoundedFetch(fetch: BoundedFetch, limit = largestMessage): BoundedFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(countBytes(limit, isEvents));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function countBytes(limit: number, isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = isEvents ? findEventEnd(chunk) : -1;
      size = end === -1 ? size + chunk.length : chunk.length - end;
      if (size > limit)
        controller.error(new ServerError({ kind: "too-large", megabytes: toMegabytes(limit) }));
      else controller.enqueue(chunk);
    },
  });
}

/** Where the last blank line of a chunk is, which ends an event; one that is cut in two by chunks is found later. */
function findEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf("\n\n"), bytes.lastIndexOf("\r\n\r\n"), bytes.lastIndexOf("\r\r"));
}
