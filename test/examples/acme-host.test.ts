import { expect, test } from "vitest";
import { toHost } from "../../src/llm/hosts/host.ts";
import { createOpenAIChat } from "../../src/llm/openai/chat.ts";
import { collectReply, connectTo, createTestRequest } from "../support/model-connection.ts";
import { toOpenAIEvents } from "../support/model-wire.ts";
import { startWireServer } from "../support/wire-server.ts";
import { acme } from "./acme-host.ts";

test("the output cap has the name that this host knows, and reasoning is not sent back", async () => {
  await using server = await startWireServer({ chunks: toOpenAIEvents({ text: "Hi.", calls: [] }) });
  const provider = createOpenAIChat(connectTo(`${server.url}/v1`, toHost(acme)));
  const { reply } = await collectReply(
    provider,
    createTestRequest({
      model: "anvil-2",
      maxTokens: 500,
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Yes?", reasoning_content: "They greet me." },
        { role: "user", content: "Who are you?" },
      ],
    }),
  );
  expect(reply).toMatchObject({ stop: "stop", message: { content: "Hi." } });
  const [request] = server.requests;
  expect(request?.url).toBe("/v1/chat/completions");
  expect(request?.json).toMatchObject({ model: "anvil-2", max_completion_tokens: 500 });
  expect(request?.json).not.toHaveProperty("max_tokens");
  expect(request?.body).not.toContain("They greet me.");
});
