import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { TurnOutcome } from "../agent/job.ts";
import { createWords } from "../i18n/words.ts";
import { noUsage } from "../lib/usage.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { type ApiQuestion, addOpenaiApi } from "./openai-api.ts";

const opened: HttpServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const outcome: TurnOutcome = {
  text: "Done.",
  stop: "completed",
  kind: "answer",
  tools: [],
  usage: noUsage,
  sessionKey: "api:x",
  turnId: "t",
  inboundIds: ["t"],
};

/** A server whose turns are played by the test. */
async function open() {
  const clock = createFakeClock();
  const asked = Promise.withResolvers<ApiQuestion>();
  const answer = Promise.withResolvers<TurnOutcome>();
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    hasKey: false,
    words: createWords("english").gateway.address,
    onError(error) {
      throw error;
    },
    addRoutes: (app) =>
      addOpenaiApi(app, {
        answer(question) {
          asked.resolve(question);
          return answer.promise;
        },
        describeTool: ({ name }) => name,
        apiKey: "",
        isExposed: false,
        timeoutMs: 0,
        clock,
        newId: () => "1",
      }),
  });
  opened.push(server);
  const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }], stream: true });
  const response = fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
  return { clock, asked: asked.promise, answer, response };
}

test("a stream in which nothing happens begins after a while, and shows that it lives", async () => {
  const { clock, asked, answer, response } = await open();
  await asked;
  await clock.advance(10_000);
  const { body, headers } = await response;
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toContain('"delta":{"role":"assistant","content":""}');
  await clock.advance(15_000);
  expect(await next()).toBe(": still at work\n\n");
  answer.resolve(outcome);
  let rest = "";
  for (let piece = await next(); piece !== ""; piece = await next()) rest += piece;
  expect(rest).toMatch(/"delta":\{"content":"Done\."\}.*"finish_reason":"stop".*data: \[DONE\]\n\n$/s);
});

test("a stream begins with its first word, and nothing is left running behind its last", async () => {
  const { clock, asked, answer, response } = await open();
  const { onEvent } = await asked;
  onEvent({ type: "text-delta", text: "Do" });
  const { body } = await response;
  onEvent({ type: "text-delta", text: "ne." });
  answer.resolve(outcome);
  const text = await new Response(body).text();
  expect(text.match(/"content":"[^"]*"/g)).toEqual(['"content":""', '"content":"Do"', '"content":"ne."']);
  expect(clock.sleeping).toBe(0);
});
