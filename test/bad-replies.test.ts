// Replies that no host should send, by a seeded generator, over all protocols: cut, garbled, repeated, with calls of tools that
// do not exist or that are not called so. The program stays sane: one settled reply, and the next message is answered.
import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { directFetch } from "../src/agent/models/direct-fetch.ts";
import { type App, buildApp } from "../src/app/build-app.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createAnthropicMessages } from "../src/llm/anthropic/messages.ts";
import { findHost } from "../src/llm/hosts/hosts.ts";
import { createOpenAIChat } from "../src/llm/openai/chat.ts";
import { createOpenAIResponses } from "../src/llm/responses/responses.ts";
import { resolveHome } from "../src/storage/home.ts";
import { sampled } from "./support/long-form.ts";
import { collectEvents, modelRequest, replyOf } from "./support/model-request.ts";
import { toAnthropicEvents, toOpenAIEvents, toResponsesEvents } from "./support/model-wire.ts";
import { seed } from "./support/seed.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { startWireServer } from "./support/wire-server.ts";

const rows = [
  { name: "OpenAI chat", host: "openai", create: createOpenAIChat, toEvents: toOpenAIEvents },
  {
    name: "Anthropic messages",
    host: "anthropic",
    create: createAnthropicMessages,
    toEvents: toAnthropicEvents,
  },
  { name: "OpenAI Responses", host: "openai", create: createOpenAIResponses, toEvents: toResponsesEvents },
];

const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];
const reply = fc.record({
  text: fc.string({ maxLength: 60 }),
  thinking: fc.string({ maxLength: 20 }),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("look", "read_file", "no_such_tool", ""),
      arguments: fc.oneof(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
        fc.constantFrom("", "null", "[1,2]", '"text"', '{"path":', '{"a":1}{"b":2}', "{'path': 'a'}"),
        fc.string({ maxLength: 12 }),
      ),
    }),
    { maxLength: 3 },
  ),
});

/** What becomes of the bytes on their way. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("drop" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("twice" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("garble" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("retype" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
);

function spoil(events: string, { kind, at }: { kind: string; at: number }): string {
  const list = events.split("\n\n");
  const place = Math.min(list.length - 1, Math.floor(at * list.length));
  const event = list[place] ?? "";
  if (kind === "cut") return events.slice(0, Math.floor(at * events.length));
  if (kind === "drop") list.splice(place, 1);
  if (kind === "twice") list.splice(place, 0, event);
  if (kind === "garble") list[place] = event.replace(/["{}:]/, "\u0000");
  if (kind === "retype") list[place] = event.replace(/:("[^"]*"|\d+)/, ":[null,{}]");
  return list.join("\n\n");
}

describe.each(rows)("$name", ({ host: hostName, create, toEvents }) => {
  it("ends every reply once, with calls whose arguments are objects", async () => {
    const host = findHost(hostName);
    if (host === undefined) throw new Error("no host");
    await fc.assert(
      fc.asyncProperty(reply, fc.array(damage, { maxLength: 3 }), async (data, damages) => {
        const chunks = damages.reduce(spoil, toEvents(data));
        await using server = await startWireServer({ chunks });
        const readImage = async () => undefined;
        const provider = create({ host, baseUrl: server.url, apiKey: "k", fetch: directFetch, readImage });
        const events = await collectEvents(provider, modelRequest({ tools }));
        const { stop, error, message } = replyOf(events);
        expect(events.filter(({ type }) => type === "reply-end")).toHaveLength(1);
        expect(error === undefined).toBe(stop !== "error");
        const ids = (message.tool_calls ?? []).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { function: call } of message.tool_calls ?? [])
          expect(JSON.parse(call.arguments)).toEqual(expect.any(Object));
      }),
      { seed, numRuns: sampled(60, 600) },
    );
  });

  it("never keeps the next message from being answered", async () => {
    const bad = fc.sample(fc.tuple(reply, damage), { seed, numRuns: sampled(6, 60) });
    const replies = bad.flatMap(([data, how]) => [{ chunks: spoil(toEvents(data), how) }]);
    const good = { chunks: toEvents({ text: "All is well.", calls: [] }) };
    await using server = await startWireServer(...replies, good);
    const app = await openApp(
      hostName === "anthropic" ? "anthropic" : "custom",
      server.url,
      create === createOpenAIResponses,
    );
    try {
      for (let turn = 0; turn < 3; turn += 1) await say(app, `message ${turn}`);
      // The last reply repeats.
      const { stop, text } = await until(app);
      expect({ stop, text }).toEqual({ stop: "completed", text: "All is well." });
    } finally {
      await app.close();
    }
  });
});

describe.each(rows)("$name that goes in circles", ({ host: hostName, create, toEvents }) => {
  it.each([
    ["the same call", "read_file", '{"path":"missing.md"}'],
    ["a call of no tool", "no_such_tool", "{}"],
    ["a call without JSON", "read_file", '{"path":'],
  ])("%s, again and again, ends the turn", async (_, name, args) => {
    const circle = { chunks: toEvents({ text: "", calls: [{ name, arguments: args }] }) };
    await using server = await startWireServer(circle);
    const provider = hostName === "anthropic" ? "anthropic" : "custom";
    const app = await openApp(provider, server.url, create === createOpenAIResponses);
    try {
      const { stop } = await say(app, "Go on");
      expect(stop).not.toBe("completed");
      expect(server.requests.length).toBeLessThan(20);
    } finally {
      await app.close();
    }
  });
});

const say = (app: App, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });

/** However many of the bad replies are left, there is an end to them. */
async function until(app: App) {
  for (let turn = 0; turn < 200; turn += 1) {
    const outcome = await say(app, "Is all well?");
    if (outcome.text === "All is well.") return outcome;
  }
  return say(app, "Is all well?");
}

/** Retries come at once; limits of time never come. */
async function waitOnlyLong(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 10_000) await nextTick();
  else await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

async function openApp(provider: string, url: string, isResponses: boolean): Promise<App> {
  const config = {
    agents: { defaults: { provider, model: "m" } },
    providers: { [provider]: { apiBase: url, apiKey: "k", ...(isResponses && { apiType: "responses" }) } },
  };
  const home = await createTemporaryFolder({ "config.json": JSON.stringify(config) });
  const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
  const clock = { ...systemClock, sleep: waitOnlyLong };
  const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english"), clock });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  return built.app;
}
