import { afterEach, expect, it } from "vitest";
import { startFakeTelegram } from "../../../test/support/fake-telegram.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

it("gives access to a sender who asks for it, and takes it away again", async () => {
  await using telegram = await startFakeTelegram();
  const block = { enabled: true, token: telegram.token, apiBase: telegram.url };
  const gateway = await createTestGateway([], { config: { channels: { collectMs: 0, telegram: block } } });
  const client = await openWebClient(gateway);
  telegram.say("hello?");
  const list = () => client.ask("pairing.list", {});
  await expect.poll(async () => (await list()).pending.length).toBe(1);
  await client.waitFor(({ event }) => event.type === "changed" && event.topic === "channels");
  const [request] = (await list()).pending;
  expect(request).toMatchObject({ channel: "telegram", senderId: "42", name: "Ann" });
  const code = request?.code ?? "";
  await expect(client.ask("pairing.approve", { code, role: "guest", person: "owner" })).rejects.toMatchObject(
    { problem: { code: "pairing.bad-person", fields: [{ path: "person" }] } },
  );
  expect(await client.ask("pairing.approve", { code, role: "guest", person: "ann" })).toMatchObject({
    person: "ann",
    role: "guest",
  });
  expect(await list()).toMatchObject({
    pending: [],
    paired: [{ channel: "telegram", senderId: "42", person: "ann" }],
  });
  await expect(client.ask("pairing.deny", { code })).rejects.toMatchObject({
    problem: { code: "pairing.no-code", params: { code } },
  });
  const sender = { channel: "telegram", senderId: "42" };
  await client.ask("pairing.revoke", sender);
  expect((await list()).paired).toEqual([]);
  await expect(client.ask("pairing.revoke", sender)).rejects.toMatchObject({
    problem: { code: "pairing.not-paired", params: { sender: "telegram 42" } },
  });
});
