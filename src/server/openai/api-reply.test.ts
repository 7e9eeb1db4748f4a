import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { TurnOutcome } from "../../agent/job.ts";
import type { LiveBody } from "../../bus/live.ts";
import { createWords } from "../../i18n/words.ts";
import { noUsage } from "../../lib/usage.ts";
import { type HttpServer, startHttpServer } from "../http/http-server.ts";
import { ApiDeltas, type Delta } from "./api-reply.ts";
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

function play(...bodies: LiveBody[]): { content: string; reasoning: string; deltas: Delta[] } {
  const deltas = new ApiDeltas(({ name }) => `🔧 ${name}`);
  const taken = bodies.map((body) => deltas.take(body)).filter((delta) => delta !== undefined);
  const content = taken.map((delta) => delta.content ?? "").join("");
  expect(taken.map((delta) => delta.reasoning_content ?? "").join("")).toBe(deltas.reasoning);
  return { content, reasoning: deltas.reasoning, deltas: taken };
}

const text = (piece: string): LiveBody => ({ type: "text-delta", text: piece });
const start = (name: string): LiveBody => ({ type: "tool-start", callId: name, name, arguments: {} });
const end = (name: string, isError: boolean, content = "x"): LiveBody => ({
  type: "tool-end",
  callId: name,
  name,
  isError,
  ms: 1,
  content,
});

test("pieces of one text stay together, also where a reply was cut and goes on", () => {
  const bodies: LiveBody[] = [text("Once up"), { type: "text-end", isLast: false }, text("on a time.")];
  expect(play(...bodies).content).toBe("Once upon a time.");
});

test("what is said after tools is a paragraph of its own", () => {
  const { content, reasoning } = play(
    text("Let me look."),
    start("a"),
    end("a", false),
    start("b"),
    text("Done."),
  );
  expect(content).toBe("Let me look.\n\nDone.");
  expect(reasoning).toBe("🔧 a\n🔧 b\n");
});

test("an answer that follows tools at once begins without a gap", () => {
  expect(play(start("a"), end("a", false), text("Done.")).content).toBe("Done.");
});

test("a text that starts again is below what cannot be taken back", () => {
  expect(play(text("Once up"), { type: "text-reset" }, text("Once upon")).content).toBe(
    "Once up\n\nOnce upon",
  );
  expect(play({ type: "text-reset" }, text("Once upon")).content).toBe("Once upon");
});

test("thoughts, tools and their failures are lines of reasoning", () => {
  const thought: LiveBody = { type: "reasoning-delta", text: "Hm." };
  const { reasoning, content } = play(
    thought,
    start("a"),
    end("a", true, `no\nsuch file ${"x".repeat(500)}`),
    thought,
  );
  expect(content).toBe("");
  expect(reasoning).toMatch(/^Hm\.\n🔧 a\n✗ no such file x{100,}.*\nHm\.$/);
  expect(reasoning.length).toBeLessThan(300);
});

test("what is of no interest to a client is left out", () => {
  const bodies: LiveBody[] = [
    { type: "turn-start" },
    { type: "step-start", step: 1, id: "T.1" },
    { type: "step-end", step: 1, id: "T.1" },
    text(""),
    { type: "turn-end", stop: "completed" },
  ];
  expect(play(...bodies).deltas).toEqual([]);
});
