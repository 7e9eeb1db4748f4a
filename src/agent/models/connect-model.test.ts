import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { collectReply } from "../../../test/support/model-connection.ts";
import { toAnthropicEvents, toOpenAIEvents } from "../../../test/support/model-wire.ts";
import { sentenceOf } from "../../../test/support/sentence-of.ts";
import { startWireServer } from "../../../test/support/wire-server.ts";
import { chooseModel, type ModelChoice } from "../../llm/choice/choose-model.ts";
import { modelDefaultsSchema, providersSchema } from "../../llm/config.ts";
import { createProvider } from "./connect-model.ts";
import { directFetch } from "./direct-fetch.ts";

function choose(defaults: Record<string, unknown>, providers: Record<string, unknown> = {}): ModelChoice {
  const result = chooseModel({
    defaults: modelDefaultsSchema.parse(defaults),
    presets: {},
    providers: providersSchema.parse(providers),
    environment: {},
    isModelChosen: "model" in defaults,
    hasConfig: true,
  });
  if (!result.ok) throw new Error(result.problem.kind);
  return result.choice;
}

const clock = createFakeClock();
const hello = { text: "Hello", calls: [] };

describe("a chosen model", () => {
  it("is asked by the OpenAI protocol with everything that the config gives", async () => {
    await using server = await startWireServer({ chunks: toOpenAIEvents(hello) });
    const settings = {
      apiBase: `${server.url}/v1`,
      apiKey: "k",
      extraHeaders: { "x-team": "a" },
      extraBody: { store: false },
      extraQuery: { v: "1" },
    };
    const provider = await createProvider(choose({ model: "mine/qwen" }, { mine: settings }), {
      fetch: directFetch,
      clock,
    });
    const { reply } = await collectReply(provider);
    expect(reply.message.content).toBe("Hello");
    expect(server.requests[0]).toMatchObject({
      url: "/v1/chat/completions?v=1",
      headers: { authorization: "Bearer k", "x-team": "a" },
      json: { store: false },
    });
  });

  it("is asked by the Messages protocol where its host speaks that", async () => {
    await using server = await startWireServer({ chunks: toAnthropicEvents(hello) });
    const settings = { apiBase: server.url, apiKey: "k" };
    const choice = choose(
      { model: "MiniMax-M3", provider: "minimaxAnthropic" },
      { minimax_anthropic: settings },
    );
    const { reply } = await collectReply(await createProvider(choice, { fetch: directFetch, clock }));
    expect(reply.message.content).toBe("Hello");
    expect(server.requests[0]).toMatchObject({ url: "/v1/messages", headers: { "x-api-key": "k" } });
  });

  it("is reached through the given fetch", async () => {
    const asked: string[] = [];
    const refuse: typeof fetch = async (input) => {
      asked.push(String(input));
      return new Response(null, { status: 503 });
    };
    const provider = await createProvider(choose({ model: "ollama/llama3" }), {
      fetch: refuse,
      clock,
    });
    const { reply } = await collectReply(provider);
    expect(asked).toEqual(["http://localhost:11434/v1/chat/completions"]);
    expect(reply.error?.status).toBe(503);
  });

  it("may be offline, which asks nobody", async () => {
    const refuse: typeof fetch = () => Promise.reject(new Error("asked"));
    const provider = await createProvider(choose({ provider: "offline" }), { fetch: refuse, clock });
    const { reply } = await collectReply(provider);
    expect(reply).toMatchObject({
      stop: "stop",
      message: { content: expect.stringContaining(words.demo.tryThese) },
    });
  });
});

describe("a script", () => {
  async function run(content: string | undefined) {
    const folder = await mkdtemp(join(tmpdir(), "script-"));
    try {
      const script = join(folder, "script.json");
      if (content !== undefined) await writeFile(script, content);
      const choice = choose({ provider: "scripted" }, { scripted: { script } });
      const provider = await createProvider(choice, { fetch: directFetch, clock });
      return [(await collectReply(provider)).reply, (await collectReply(provider)).reply];
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("gives its replies", async () => {
    const replies = await run('["one", "two"]');
    expect(replies.map(({ message }) => message.content)).toEqual(["one", "two"]);
  });

  it.each([
    ["that is not there", undefined, "ENOENT"],
    ["that is no JSON", "{", "JSON"],
  ])("%s is told in every reply", async (_sentence, content, reason) => {
    for (const { error } of await run(content)) {
      expect(error).toMatchObject({ kind: "invalid-request" });
      expect(sentenceOf(error)).toContain(reason);
    }
  });
});
