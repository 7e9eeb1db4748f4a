import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startFakeFeishu } from "../../../test/support/fake-feishu.ts";
import { startFakeTelegram } from "../../../test/support/fake-telegram.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient } from "../../../test/support/web-client.ts";
import { channelRows } from "../../channels/index.ts";
import { phrase } from "../../i18n/phrase.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

async function open(channels: Record<string, unknown> = {}, script: string[] = ["Hello."]) {
  const gateway = await createTestGateway(script, { config: { channels: { collectMs: 0, ...channels } } });
  return { gateway, client: await openWebClient(gateway) };
}

describe("channels over the socket", () => {
  it("are all listed, with the health of those that run", async () => {
    await using telegram = await startFakeTelegram();
    const block = { enabled: true, token: telegram.token, apiBase: telegram.url };
    const { client } = await open({ telegram: block, feishu: { enabled: true } });
    const list = async () => (await client.ask("channels.list", {})).channels;
    expect((await list()).map(({ name }) => name)).toEqual(channelRows.map(({ name }) => name));
    await expect
      .poll(async () => (await list()).find(({ name }) => name === "telegram")?.health?.state)
      .toBe("running");
    const cards = await list();
    const [email, feishu] = ["email", "feishu"].map((name) => cards.find((card) => card.name === name));
    expect(email).toEqual({ name: "email", isOwn: false, isEnabled: false, isChanged: false });
    expect(feishu).toMatchObject({ isEnabled: true, problem: { code: "channels.bad-settings" } });
    expect(JSON.stringify(feishu?.problem)).toContain("appId");
  });

  it("have a form made of their schema, in which no secret is told", async () => {
    const { client } = await open({ telegram: { token: "123:secret", reactEmoji: "👍" } });
    const { fields, canCheck } = await client.ask("channels.form", { name: "telegram" });
    expect(canCheck).toBe(true);
    const find = (key: string) => fields.find((field) => field.key === key);
    expect(find("token")).toEqual({
      key: "token",
      kind: "secret",
      about: "Token of the bot, from BotFather",
      isNeeded: true,
      isShared: false,
      isSet: true,
    });
    expect(find("reactEmoji")).toMatchObject({ kind: "text", usual: "👀", value: "👍", isNeeded: false });
    expect(find("allowFrom")).toMatchObject({ kind: "list", isShared: true });
    expect(find("groupPolicy")).toMatchObject({ kind: "choice", choices: ["mention", "open", "allowlist"] });
    expect(JSON.stringify(fields)).not.toContain("123:secret");
    const email = (await client.ask("channels.form", { name: "email" })).fields;
    expect(email.filter(({ kind }) => kind === "secret").map(({ key }) => key)).toEqual([
      "imapPassword",
      "smtpPassword",
    ]);
    expect(email.find(({ key }) => key === "postAction")).toMatchObject({ choices: ["delete", "move"] });
  });

  it("are saved with what was changed only, and tell at the field what is wrong", async () => {
    const { client, gateway } = await open({ telegram: { token: "123:secret", mine: 1 } });
    await expect(
      client.ask("channels.save", { name: "telegram", values: { enabled: true, apiBase: "no address" } }),
    ).rejects.toMatchObject({
      problem: { code: "channels.not-saved", fields: [{ path: "values.apiBase" }] },
    });
    const allowFrom = ["42", "43"];
    await client.ask("channels.save", { name: "telegram", values: { enabled: true, allowFrom } });
    const { channels } = JSON.parse(await readFile(join(gateway.home, "config.json"), "utf8"));
    expect(channels.telegram).toEqual({ token: "123:secret", mine: 1, enabled: true, allowFrom });
    const cards = (await client.ask("channels.list", {})).channels;
    expect(cards.find(({ name }) => name === "telegram")).toMatchObject({ isEnabled: true, isChanged: true });
    await client.ask("channels.save", { name: "telegram", values: { enabled: false, token: null } });
    const later = (await client.ask("channels.list", {})).channels;
    const off = later.find(({ name }) => name === "telegram");
    expect(off, "what is off, and was, needs no restart").toMatchObject({
      name: "telegram",
      isChanged: false,
    });
    expect((await client.ask("channels.form", { name: "telegram" })).fields[0]).toMatchObject({
      isSet: false,
    });
    await expect(client.ask("channels.save", { name: "pigeon", values: {} })).rejects.toMatchObject({
      problem: { code: "channels.not-found" },
    });
  });

  it("are tried against their platform before anything is saved", async () => {
    await using telegram = await startFakeTelegram();
    await using feishu = await startFakeFeishu();
    const { client } = await open({ telegram: { apiBase: telegram.url }, feishu: { apiBase: feishu.url } });
    const tryTelegram = (token: string) =>
      client.ask("channels.check", { name: "telegram", values: { token } });
    expect(await tryTelegram(telegram.token)).toEqual({ isGood: true, name: "@nano_bot" });
    const refused = await tryTelegram("999:wrong");
    expect(refused).toMatchObject({ isGood: false, kind: "refused" });
    expect(JSON.stringify(refused)).not.toContain("999:wrong");
    const { appId, appSecret } = feishu;
    expect(
      await client.ask("channels.check", { name: "feishu", values: { appId, appSecret } }),
    ).toMatchObject({ isGood: true });
    expect(
      await client.ask("channels.check", { name: "feishu", values: { appId, appSecret: "wrong" } }),
    ).toMatchObject({ isGood: false, kind: "refused" });
    const nowhere = { token: "1:x", apiBase: "http://127.0.0.1:9" };
    expect(await client.ask("channels.check", { name: "telegram", values: nowhere })).toEqual({
      isGood: false,
      kind: "unreachable",
      reason: phrase("channels.unreachable", { platform: "Telegram" }),
    });
    await expect(client.ask("channels.check", { name: "telegram", values: {} })).rejects.toMatchObject({
      problem: { fields: [{ path: "values.token" }] },
    });
  });
});
