import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChannelScene, startChannel } from "../../../test/support/channel-scene.ts";
import { type FakeTelegram, startFakeTelegram } from "../../../test/support/fake-telegram.ts";
import type { Channel } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { telegram } from "./telegram.ts";

interface Scene extends AsyncDisposable {
  platform: FakeTelegram;
  scene: ChannelScene;
}

async function start(options: Partial<Parameters<typeof startChannel>[0]> = {}): Promise<Scene> {
  const platform = await startFakeTelegram();
  const config = { token: platform.token, apiBase: platform.url, ...options.config };
  const scene = await startChannel({ kind: telegram, ...options, config });
  return {
    platform,
    scene,
    async [Symbol.asyncDispose]() {
      await scene.stop();
      await platform[Symbol.asyncDispose]();
    },
  };
}

describe("a message on Telegram", () => {
  it("comes in with who said it and where, and its answer goes back to that chat", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("hello **you**");
    const message = await scene.next();
    expect(message).toMatchObject({
      sessionKey: "telegram:42",
      text: "hello **you**",
      origin: { channel: "telegram", chatId: "42", role: "owner", person: "owner", format: "messaging" },
    });
    await scene.answer(message, "**hi** <you>");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]).toMatchObject({ chatId: "42", text: "<b>hi</b> &lt;you&gt;" });
    expect(JSON.stringify(platform.messages[0]?.parameters)).toContain('"is_disabled":true');
  });

  it("is acknowledged only when it is safe, and comes once however often Telegram sends it", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const id = platform.say("one");
    await scene.next();
    platform.push({
      message: {
        message_id: 500,
        from: { id: 42, first_name: "Ann" },
        chat: { id: 42, type: "private" },
        text: "one",
      },
    });
    platform.say("two");
    expect((await scene.next()).text).toBe("two");
    await platform.waitFor(() => platform.acknowledged.has(id));
  });

  it("of a topic is a session of its own, and the answer goes into that topic", async () => {
    await using opened = await start({ rules: { allowFrom: ["42"], groupPolicy: "open" } });
    const { platform, scene } = opened;
    const chat = { id: -7, type: "supergroup" };
    platform.say("here", { chat, is_topic_message: true, message_thread_id: 9 });
    const message = await scene.next();
    expect(message).toMatchObject({
      sessionKey: "telegram:-7:topic:9",
      origin: { group: "telegram--7", thread: "topic:9" },
    });
    await scene.answer(message, "there");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]?.parameters).toMatchObject({ message_thread_id: 9 });
    // Said in the topic, and sent to another chat, which has no such topic.
    await scene.answer(message, "elsewhere", { id: "x#0", chatId: "42" });
    await platform.waitFor(() => platform.messages.length === 2);
    expect(platform.messages[1]?.parameters).not.toHaveProperty("message_thread_id");
  });

  it("in a group is heard only when it is for the bot, and only from people who are known", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const chat = { id: -7, type: "group" };
    platform.say("among us", { chat });
    platform.say("@nano_bot from a stranger", { chat, from: { id: 66, first_name: "Eve" } });
    platform.say("@nano_bot what time is it", { chat });
    expect(await scene.next()).toMatchObject({ text: "what time is it", speaker: "Ann" });
    expect(platform.messages).toEqual([]);
  });

  it("with a file brings the file, and without it still brings the words", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.files.set("doc1", Buffer.from("content"));
    const document = { file_id: "doc1", file_unique_id: "u1", file_name: "../../笔记.txt" };
    platform.say("", { text: undefined, caption: "look", document });
    const [path = ""] = (await scene.next()).media ?? [];
    expect(await readFile(path, "utf8")).toBe("content");
    expect(path.startsWith(join(scene.home, "media", "telegram"))).toBe(true);
    platform.say("", { text: undefined, caption: "lost", document: { ...document, file_id: "gone" } });
    expect(await scene.next()).toMatchObject({ text: "lost", media: [] });
    platform.files.set("torn", Buffer.alloc(100_000, "half"));
    platform.tornFiles.add("torn");
    platform.say("", { text: undefined, caption: "torn", document: { ...document, file_id: "torn" } });
    expect(await scene.next()).toMatchObject({ text: "torn", media: [] });
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });

  it("is a command to this bot with its name or without, and never one to another bot", async () => {
    await using opened = await start({ rules: { allowFrom: ["42"], groupPolicy: "open" } });
    const { platform, scene } = opened;
    const chat = { id: -7, type: "group" };
    const quoted = { reply_to_message: { text: "earlier", from: { id: 7, is_bot: false } } };
    platform.say("/new@other_bot", { chat });
    platform.say("/new@Nano_Bot", { chat });
    platform.say("/compact@nano_bot the garden", { chat, ...quoted });
    platform.say("/stop", { chat });
    const texts = [(await scene.next()).text, (await scene.next()).text, (await scene.next()).text];
    expect(texts).toEqual(["/new", "/compact the garden", "/stop"]);
  });
});

describe("a stranger on Telegram", () => {
  it("is told a code in private, once a minute, and is heard when the owner approves it", async () => {
    await using opened = await start({ rules: { allowFrom: [] } });
    const { platform, scene } = opened;
    const from = { id: 66, is_bot: false, first_name: "Eve" };
    const chat = { id: 66, type: "private" };
    platform.say("let me in", { from, chat });
    platform.say("hello?", { from, chat });
    await platform.waitFor(() => platform.messages.length === 1);
    const code = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(platform.messages[0]?.text ?? "")?.[0] ?? "";
    await scene.pairing.approve(code.toLowerCase(), { role: "guest", person: "eve" });
    platform.say("now", { from, chat });
    expect(await scene.next()).toMatchObject({ text: "now", origin: { person: "eve", role: "guest" } });
    expect(platform.messages).toHaveLength(1);
  });

  it("is refused while the list cannot be read, and the list stays as it is", async () => {
    await using opened = await start({ rules: { allowFrom: [] } });
    const { platform, scene } = opened;
    await mkdir(join(scene.home, "pairing.json"));
    const id = platform.say("let me in", {
      from: { id: 66, first_name: "Eve" },
      chat: { id: 66, type: "private" },
    });
    await platform.waitFor(() => platform.acknowledged.has(id));
    expect(platform.messages).toEqual([]);
    expect(await readdir(scene.home)).not.toContain("pairing.json.corrupt-1");
  });
});

describe("an answer on Telegram", () => {
  it("is shown while it is written, in one message that its end settles", async () => {
    await using opened = await start({ config: { streamEditInterval: 0.1 } });
    const { platform, scene } = opened;
    platform.say("tell me a story");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "telegram", chatId: "42" };
    scene.bus.publishLive({ ...live, body: { type: "turn-start" } });
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await platform.waitFor(() => platform.messages.length === 1);
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: " a small robot" } });
    await platform.waitFor(() => platform.messages[0]?.text.includes("robot") === true);
    await scene.answer(message, "Once upon a time there was a small robot. The end.", { wasStreamed: true });
    await platform.waitFor(() => platform.messages[0]?.text.endsWith("The end.") === true);
    expect(platform.messages).toHaveLength(1);
    expect(platform.calls).toContain("sendChatAction");
  });

  it("that lets itself be waited for is mentioned once a turn, and that mention is no answer", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("are you there?");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "telegram", chatId: "42" };
    const reason = phrase("model.still-waiting", { host: "acme" });
    const notice = { kind: "waiting", host: "acme", reason } as const;
    scene.bus.publishLive({ ...live, body: { type: "turn-start" } });
    for (let time = 0; time < 3; time++) scene.bus.publishLive({ ...live, body: { type: "notice", notice } });
    await platform.waitFor(() => platform.messages.length === 1);
    await scene.answer(message, "Yes.");
    await platform.waitFor(() => platform.messages.length === 2);
    expect(platform.messages.map(({ text }) => text)).toEqual([sayInEnglish(reason), "Yes."]);
  });

  it("is settled in the message that was begun, also when a full disk kept that from being noted", async () => {
    await using opened = await start({ config: { streamEditInterval: 0.1 } });
    const { platform, scene } = opened;
    Object.assign(scene.bus, { keepDraft: () => Promise.reject(new Error("database or disk is full")) });
    platform.say("tell me a story");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "telegram", chatId: "42" };
    const story = "Once upon a time there was a small robot.";
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: story } });
    await platform.waitFor(() => platform.messages.length === 1);
    await scene.answer(message, `${story} The end.`, { wasStreamed: true });
    await platform.waitFor(() => platform.messages.some(({ text }) => text.endsWith("The end.")));
    expect(platform.messages).toHaveLength(1);
  });

  it("waits as long as Telegram asks for, and is sent once", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("sendMessage", { code: 429, description: "Too Many Requests", retryAfter: 0.01 });
    platform.failNext("sendMessage", "disconnect");
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await platform.waitFor(() => platform.messages.length === 1);
    await expect.poll(() => scene.bus.outbox.list()).toEqual([]);
  });

  it("that Telegram will never take is set aside with the reason", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("sendMessage", { code: 403, description: "Forbidden: bot was blocked by the user" });
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await expect
      .poll(() => scene.bus.outbox.list())
      .toMatchObject([{ state: "dead", reason: { params: { quote: expect.stringContaining("blocked") } } }]);
  });

  it("whose markup Telegram does not take is sent as plain text", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("sendMessage", { code: 400, description: "Bad Request: can't parse entities: x" });
    platform.say("hi");
    await scene.answer(await scene.next(), "**1 < 2**");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]?.text).toBe("1 < 2");
  });

  it("brings files by their kind", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const path = join(scene.home, "plot.png");
    await writeFile(path, "x");
    platform.say("plot");
    await scene.answer(await scene.next(), "here", { media: [path] });
    await platform.waitFor(() => platform.messages.length === 2);
    expect(platform.messages.map(({ method }) => method)).toEqual(["sendMessage", "sendPhoto"]);
  });
});

describe("the connection to Telegram", () => {
  it("comes back after Telegram was away, and nothing is lost", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("getUpdates", "disconnect", { code: 502, description: "Bad Gateway" }, "garbage");
    platform.say("after the storm");
    expect((await scene.next()).text).toBe("after the storm");
    await expect.poll(() => scene.manager.health()[0]).toMatchObject({ state: "running", received: 1 });
  });

  it("fails at once with the reason when the token is wrong", async () => {
    await using opened = await start({ config: { token: "9:wrong" } });
    await expect
      .poll(() => opened.scene.manager.health()[0])
      .toMatchObject({ state: "failed", error: { code: "channels.telegram-token" } });
    expect(JSON.stringify(opened.scene.manager.health())).not.toContain("9:wrong");
  });

  it("passes over what it does not understand", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.push({ message: { message_id: 1 } });
    platform.push({ poll: {} });
    platform.push({ message: { message_id: 2, chat: { id: 1 }, from: { id: 42 } } });
    platform.say("fine");
    expect((await scene.next()).text).toBe("fine");
  });
});

describe("Telegram's requests", () => {
  it("are taken with the secret that Telegram was given, once each, and polling goes on without them", async () => {
    await using platform = await startFakeTelegram();
    const created = Promise.withResolvers<Channel>();
    const config = { token: platform.token, apiBase: platform.url, webhookUrl: "https://bot.example.org/" };
    const scene = await startChannel({ kind: telegram, config, onCreated: created.resolve });
    const { http } = await created.promise;
    await platform.waitFor(() => platform.webhook !== undefined);
    expect(platform.webhook).toMatchObject({
      url: "https://bot.example.org/channels/telegram",
      max_connections: 1,
    });
    const push = (text: string, secret: string) => {
      const from = { id: 42, is_bot: false, first_name: "Ann" };
      const message = { message_id: 7, date: 0, from, chat: { id: 42, type: "private" }, text };
      const body = JSON.stringify({ update_id: 1, message });
      const headers = { "x-telegram-bot-api-secret-token": secret };
      return http?.handle(
        new Request("http://gateway.invalid/channels/telegram", { method: "POST", headers, body }),
      );
    };
    const secret = String(platform.webhook?.secret_token);
    expect(secret).not.toContain(platform.token);
    expect((await push("forged", "x".repeat(64)))?.status).toBe(401);
    await expect.poll(async () => (await push("genuine", secret))?.status).toBe(200);
    expect((await push("genuine", secret))?.status).toBe(200);
    const message = await scene.next();
    expect(message).toMatchObject({ text: "genuine", sessionKey: "telegram:42" });
    await scene.bus.finish([message.id], []);
    await scene.stop();
    expect((await push("later", secret))?.status).toBe(503);
    const { webhookUrl: _, ...polling } = config;
    const again = await startChannel({ kind: telegram, config: polling, home: scene.home });
    platform.say("asked for");
    expect((await again.next()).text).toBe("asked for");
    await again.stop();
  });
});
