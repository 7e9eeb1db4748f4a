import { expect, it } from "vitest";
import { startChannel } from "../../../test/support/channel-scene.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { startFakeWhatsapp } from "../../../test/support/fake-whatsapp.ts";
import type { Channel } from "../../bus/channel.ts";
import { whatsapp } from "./whatsapp.ts";

type Handle = NonNullable<Channel["http"]>["handle"];

async function start() {
  const platform = await startFakeWhatsapp();
  const { phoneNumberId, accessToken, appSecret, url: apiBase } = platform;
  const config = { phoneNumberId, accessToken, appSecret, verifyToken: "a-word-of-ours", apiBase };
  const created = Promise.withResolvers<Channel>();
  const rules = { allowFrom: ["+4930123"] };
  const scene = await startChannel({ kind: whatsapp, config, rules, onCreated: created.resolve });
  const handle = (await created.promise).http?.handle as Handle;
  await eventually(() => scene.manager.health()[0]?.state).toBe("running");
  return {
    platform,
    scene,
    handle,
    async [Symbol.asyncDispose]() {
      await scene.stop();
      await platform[Symbol.asyncDispose]();
    },
  };
}

it("WhatsApp: only what is signed with our secret, for our number, and not too old is read", async () => {
  await using opened = await start();
  const { platform, scene, handle } = opened;
  expect((await handle(platform.toRequest("forged", {}, "another-secret"))).status).toBe(401);
  const unsigned = platform.toRequest("unsigned");
  unsigned.headers.delete("x-hub-signature-256");
  expect((await handle(unsigned)).status).toBe(401);
  const eightDaysAgo = Math.floor(Date.now() / 1000) - 8 * 24 * 60 * 60;
  expect((await handle(platform.toRequest("recorded", { timestamp: eightDaysAgo }))).status).toBe(200);
  expect((await handle(platform.toRequest("odd", { timestamp: {} }))).status).toBe(200);
  expect((await handle(platform.toRequest("genuine"))).status).toBe(200);
  expect(await scene.next()).toMatchObject({ text: "genuine", sessionKey: "whatsapp:4930123" });
  await scene.stop();
  // Meta sends it again.
  expect((await handle(platform.toRequest("too early"))).status).toBe(503);
});

it("WhatsApp: the address is proved with the word of our choice", async () => {
  await using opened = await start();
  const ask = (token: string) => {
    const query = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.verify_token": token,
      "hub.challenge": "1158",
    });
    return opened.handle(new Request(`http://gateway.invalid/channels/whatsapp?${query}`));
  };
  expect((await ask("guessed")).status).toBe(403);
  expect(await (await ask("a-word-of-ours")).text()).toBe("1158");
});

it("WhatsApp: after 24 hours the reason is told, and the part is set aside", async () => {
  await using opened = await start();
  const { platform, scene, handle } = opened;
  await handle(platform.toRequest("hi"));
  // That it was read is told by the same request.
  await platform.waitFor(() => platform.calls.includes("POST /1066/messages"));
  platform.failNext(/messages$/, {
    status: 400,
    body: { error: { code: 131047, message: "Re-engagement message" } },
  });
  await scene.answer(await scene.next(), "late");
  await eventually(() => scene.bus.outbox.list()).toMatchObject([
    { state: "dead", reason: { code: "channels.whatsapp-window" } },
  ]);
});
