import { afterEach, expect, it } from "vitest";
import { startFakeTelegram } from "../../../test/support/fake-telegram.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

it("lists what could not be sent, which is sent again or dropped", async () => {
  await using telegram = await startFakeTelegram();
  const block = { enabled: true, token: telegram.token, apiBase: telegram.url, allowFrom: ["42"] };
  const channels = { collectMs: 0, telegram: { ...block, streaming: false } };
  const client = await openWebClient(await createTestGateway(["Hello."], { config: { channels } }));
  telegram.failNext("sendMessage", { code: 403, description: "Forbidden: bot was blocked by the user" });
  telegram.say("hi");
  const list = async () => (await client.ask("outbox.list", {})).rows;
  await expect.poll(list).toMatchObject([{ state: "dead", part: { text: "Hello." } }]);
  const [dead] = await list();
  expect(dead?.reason).toMatchObject({ params: { quote: expect.stringMatching(/blocked by the user/) } });
  expect(await client.ask("outbox.retry", { id: dead?.part.id ?? "" })).toEqual({ isDone: true });
  await telegram.waitFor(() => telegram.messages.some(({ text }) => text === "Hello."));
  await expect.poll(list).toEqual([]);
  expect(await client.ask("outbox.drop", { id: "nothing" })).toEqual({ isDone: false });
});
