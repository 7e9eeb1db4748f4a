import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { startFakeTelegram } from "../../../test/support/fake-telegram.ts";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import type { CodeScript } from "../../llm/scripted.ts";

afterEach(closeTestGateways);

const planTea: CodeScript = [
  () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    return { toolCalls: [{ name: "cron", arguments: { action: "add", message: "tea", at } }] };
  },
  "I will tell you.",
  "Tea is ready.",
];
const question = { messages: [{ role: "user", content: "remind me of my tea" }], session_id: "kitchen" };

/** Not in an hour, but now. */
async function runTea({ client }: TestGateway): Promise<void> {
  const tea = (await client.call("jobs.list", {})).jobs.find(({ message }) => message === "tea");
  await client.call("jobs.run", { id: tea?.id ?? "" });
}

describe("a job that was made over the API", () => {
  it("is answered in the chat where the owner spoke last", async () => {
    await using telegram = await startFakeTelegram();
    const channel = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
    const gateway = await createTestGateway(["Hello.", ...planTea], {
      config: { channels: { telegram: channel, collectMs: 0 } },
    });
    const heard = () => telegram.messages.map(({ text }) => text);
    telegram.say("hi");
    await telegram.waitFor(() => heard().includes("Hello."));
    await gateway.post("/v1/chat/completions", question);
    await runTea(gateway);
    await telegram.waitFor(() => heard().includes("Tea is ready."));
  });

  it("is answered in the terminal's conversation when the owner has spoken nowhere else", async () => {
    const gateway = await createTestGateway(planTea);
    await gateway.post("/v1/chat/completions", question);
    await runTea(gateway);
    const client = await openWebClient(gateway);
    onTestFinished(closeWebClients);
    const told = async () =>
      (await client.ask("chat.open", { sessionKey: "cli:direct" })).asides.map(({ text }) => text);
    await expect.poll(told).toContain("Tea is ready.");
  });
});
