import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectReply, connectTo, createTestRequest } from "../../../test/support/model-connection.ts";
import { isRetryable } from "../errors/provider-error.ts";
import { createOpenAIChat } from "../openai/chat.ts";

const event = (delta: object) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
const words = "lorem ipsum ".repeat(5_000);

/** What is sent again and again. */
const kinds: Record<string, (time: number) => string> = {
  text: () => event({ content: words }),
  "text that may be calls": (time) => event({ content: time === 0 ? "<tool_call>" : words }),
  reasoning: () => event({ reasoning_content: words }),
  "inline reasoning": (time) => event({ content: time === 0 ? "<think>" : words }),
  arguments: () => event({ tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: words } }] }),
  calls: (index) =>
    event({ tool_calls: [{ index, id: `c${index}`, function: { name: "a", arguments: "" } }] }),
  "control characters": () => event({ content: "\u0000".repeat(20_000) }),
  "one line": (time) => (time === 0 ? `data: ${words}` : words),
  "one JSON body": (time) => (time === 0 ? `{"a":"${words}` : words),
  comments: () => `: ${words}\n\n`,
};

function* repeat(kind: string): Generator<string> {
  for (let time = 0; ; time++) yield kinds[kind]?.(time) ?? "";
}

let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    // It ends when nobody reads any more.
    pipeline(Readable.from(repeat(String(request.headers["x-kind"]))), response, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("a stream that never ends", () => {
  it.each(Object.keys(kinds))(
    "of %s is cut off with the right sentence, and not tried again",
    async (kind) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const connection = connectTo(url, {}, { extraHeaders: { "x-kind": kind } });
      const tools = [{ name: "a", description: "", parameters: {} }];
      const { reply, events } = await collectReply(
        createOpenAIChat(connection),
        createTestRequest({ tools }),
      );
      expect(reply.error?.phrase).toMatchObject({ code: "model.endless", params: { host: "Example" } });
      expect(reply.error && isRetryable(reply.error)).toBe(false);
      // So that it can always be stored in one line of a session.
      const said = events.flatMap((event) => (event.type === "text-delta" ? event.text : []));
      expect(JSON.stringify(said.join("")).length).toBeLessThan(14 * 1024 * 1024);
      // The reply holds no copy of what the deltas said.
      expect(JSON.stringify(reply.message).length).toBeLessThan(100);
    },
  );
});
