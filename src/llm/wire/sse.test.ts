import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { readServerSentEvents, type ServerSentEvent } from "./sse.ts";

const never = new AbortController().signal;

async function readAll(response: Response, signal = never): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(response, signal)) found.push(event);
  return found;
}

function responseOf(chunks: Uint8Array[]): Response {
  return new Response(ReadableStream.from(chunks) as ReadableStream<Uint8Array>);
}

const text =
  ': hello\n\nevent: delta\ndata: {"a":"你好 😀"}\n\ndata: one\ndata: two\r\n\r\n: keep-alive\n\ndata: [DONE]\n\n';
/** A comment is an event without data: a sign of life. */
const events = [
  { data: "" },
  { event: "delta", data: '{"a":"你好 😀"}' },
  { data: "one\ntwo" },
  { data: "" },
  { data: "[DONE]" },
];

describe("reading server-sent events", () => {
  it("gives the same events however the bytes are cut", async () => {
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: bytes.length })), async (places) => {
        const at = [0, ...places.sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        expect(await readAll(responseOf(chunks))).toEqual(events);
      }),
    );
  });

  it("reads a last event without the blank line after it", async () => {
    expect(await readAll(new Response("data: a\n\ndata: b"))).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("takes a JSON body as one event", async () => {
    const json = '\n{\n  "choices": [],\n\n  "data: ": 1\n}\n';
    expect(await readAll(new Response(json))).toEqual([{ data: json.trimStart() }]);
  });

  it("gives nothing for an empty body", async () => {
    expect(await readAll(new Response(""))).toEqual([]);
    expect(await readAll(new Response(null))).toEqual([]);
  });

  it("refuses an event without end", async () => {
    const chunk = new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}`);
    await expect(readAll(responseOf(Array.from({ length: 20 }, () => chunk)))).rejects.toThrow("16 MB");
  });

  it("throws the signal's reason at once when the body is held open, and lets the connection go", async () => {
    await using server = await startWireServer({ chunks: "data: a\n\n", end: "hold" });
    const stop = new AbortController();
    const response = await fetch(server.url);
    const reason = new Error("stopped");
    const iterator = readServerSentEvents(response, stop.signal);
    expect((await iterator.next()).value).toEqual({ data: "a" });
    const pending = iterator.next();
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await server.requests[0]?.closed;
  });

  it("lets the connection go when its reader has enough", async () => {
    await using server = await startWireServer({ chunks: "data: a\n\n", end: "hold" });
    for await (const event of readServerSentEvents(await fetch(server.url), never)) {
      expect(event).toEqual({ data: "a" });
      break;
    }
    await server.requests[0]?.closed;
  });

  it("throws when the connection is cut", async () => {
    await using server = await startWireServer({ chunks: "data: a\n\n", end: "cut" });
    const response = await fetch(server.url);
    await expect(readAll(response)).rejects.toThrow("terminated");
  });
});
