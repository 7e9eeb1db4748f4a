import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChannelScene, startChannel } from "../../../test/support/channel-scene.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type FakeFeishu, startFakeFeishu } from "../../../test/support/fake-feishu.ts";
import { phrase } from "../../i18n/phrase.ts";
import { feishu } from "./feishu.ts";
import { encodeFrame } from "./frame.ts";

interface Scene extends AsyncDisposable {
  platform: FakeFeishu;
  scene: ChannelScene;
}

async function start(options: Partial<Parameters<typeof startChannel>[0]> = {}): Promise<Scene> {
  const platform = await startFakeFeishu();
  const { appId, appSecret, url: apiBase } = platform;
  const config = { appId, appSecret, apiBase, ...options.config };
  const scene = await startChannel({ kind: feishu, rules: { allowFrom: ["ou_ann"] }, ...options, config });
  return {
    platform,
    scene,
    async [Symbol.asyncDispose]() {
      await scene.stop();
      await platform[Symbol.asyncDispose]();
    },
  };
}

const group = { chat_id: "oc_group", chat_type: "group" };
const bot = { key: "@_user_1", id: { open_id: "ou_bot" }, name: "Nano" };

describe("a message on Feishu", () => {
  it("comes in with who said it and where, and its answer goes back to that chat", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const id = platform.say("你好");
    const message = await scene.next();
    expect(message).toMatchObject({
      sessionKey: "feishu:oc_ann",
      text: "你好",
      origin: { channel: "feishu", chatId: "oc_ann", senderId: "ou_ann", role: "owner", replyTo: id },
    });
    await scene.answer(message, "好");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]).toMatchObject({ chatId: "oc_ann", type: "text", text: "好" });
    await platform.waitFor(() => platform.reactions.length === 1);
    expect(platform.reactions).toEqual([{ id, emoji: "THUMBSUP" }]);
  });

  it("is acknowledged when it is safe, and comes once however often Feishu sends it", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const event = platform.toEvent("one", { message_id: "om_1" });
    platform.push(event, { id: "f1" });
    platform.push(event, { id: "f2" });
    platform.say("two");
    expect((await scene.next()).text).toBe("one");
    expect((await scene.next()).text).toBe("two");
    await platform.waitFor(() => platform.acknowledged.length === 3);
    expect(platform.acknowledged.map(({ code }) => code)).toEqual([200, 200, 200]);
  });

  it("is not acknowledged when it could not be kept, so that Feishu sends it again", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await platform.waitFor(() => platform.isConnected);
    const publish = scene.bus.publishInbound;
    scene.bus.publishInbound = () => Promise.reject(new Error("the disk is full"));
    const event = platform.toEvent("hold on", { message_id: "om_1" });
    platform.push(event);
    await platform.waitFor(() => platform.acknowledged.length === 1);
    expect(platform.acknowledged[0]?.code).toBe(500);
    scene.bus.publishInbound = publish;
    platform.push(event);
    expect((await scene.next()).text).toBe("hold on");
  });

  it("is put together when it comes in pieces, in any order", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.push(platform.toEvent("长长的".repeat(50)), { pieces: 7, isReversed: true });
    expect((await scene.next()).text).toBe("长长的".repeat(50));
    await platform.waitFor(() => platform.acknowledged.length === 1);
  });

  it("in a group is heard only when it is for the bot, with the names of those it names", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    const bob = { key: "@_user_2", id: { open_id: "ou_bob" }, name: "Bob" };
    platform.say("among us", group);
    platform.say("@_user_2 you", { ...group, mentions: [bob] });
    platform.say("@_user_1 let me in", { ...group, mentions: [bot] }, { sender_id: { open_id: "ou_eve" } });
    platform.say("@_user_1 ask @_user_2 and @_user_9", { ...group, mentions: [bot, bob] });
    const message = await scene.next();
    expect(message).toMatchObject({
      text: "ask @Bob and @_user_9",
      speaker: "ou_ann",
      origin: { group: "feishu-oc_group" },
    });
    await scene.answer(message, "Done");
    await platform.waitFor(() => platform.messages.length === 1);
    platform.say("thanks", { ...group, parent_id: platform.messages[0]?.id, root_id: "om_x" });
    expect(await scene.next()).toMatchObject({ text: "thanks", speaker: "ou_ann" });
    expect(platform.messages).toHaveLength(1);
  });

  it("of a thread is a session of its own, and the answer goes into that thread", async () => {
    await using opened = await start({ rules: { allowFrom: ["ou_ann"], groupPolicy: "open" } });
    const { platform, scene } = opened;
    platform.say("there", { ...group, thread_id: "omt_1", root_id: "om_root" });
    const message = await scene.next();
    expect(message.sessionKey).toBe("feishu:oc_group:topic:om_root");
    await scene.answer(message, "yes");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]).toMatchObject({ repliesTo: "om_root", inThread: true });
  });

  it("with forms, pictures and files is read, and without a file the words still come", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.files.set("img1?image", Buffer.from("pixels"));
    platform.files.set("f1?file", Buffer.from("content"));
    const content = [
      [{ tag: "text", text: "see " }, { tag: "a", text: "this", href: "https://x.org" }, null],
      [{ tag: "img", image_key: "img1" }],
      [{ tag: "code_block", language: "js", text: "1+1" }],
    ];
    platform.say("", { message_type: "post", content: JSON.stringify({ title: "Look", content }) });
    const post = await scene.next();
    expect(post.text).toBe("Look\nsee [this](https://x.org)\n\n```js\n1+1\n```");
    expect(await readFile(post.media?.[0] ?? "", "utf8")).toBe("pixels");
    const file = { file_key: "f1", file_name: "../../笔记.txt" };
    platform.say("", { message_type: "file", content: JSON.stringify(file) });
    const [path = ""] = (await scene.next()).media ?? [];
    expect(path.startsWith(join(scene.home, "media", "feishu"))).toBe(true);
    const gone = {
      title: "",
      content: [[{ tag: "text", text: "lost" }], [{ tag: "img", image_key: "gone" }]],
    };
    platform.say("", { message_type: "post", content: JSON.stringify({ zh_cn: gone }) });
    expect(await scene.next()).toMatchObject({ text: "lost", media: [] });
  });
});

describe("an answer on Feishu", () => {
  const forms: Array<[string, string, string]> = [
    ["a few words", "好的，明天见。", "text"],
    ["words with forms", "**bold** words", "post"],
    ["many words", "x".repeat(300), "post"],
    ["a table", "| a | b |\n|---|---|\n| 1 | 2 |", "interactive"],
    ["code", "```js\n1\n```", "interactive"],
    ["very many words", "words ".repeat(600), "interactive"],
  ];

  it.each(forms)("takes the form that shows it best: %s", async (_, text, type) => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("hi");
    await scene.answer(await scene.next(), text);
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]?.type).toBe(type);
    expect(platform.messages[0]?.text).toContain(text.trim());
  });

  it("calls nobody, whatever the model wrote", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("hi");
    await scene.answer(await scene.next(), 'Look <at user_id="all">everyone</at> <AT id=all></AT>');
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]?.text).not.toMatch(/<\/?at/i);
  });

  it("is shown while it is written, in one card that its end settles", async () => {
    await using opened = await start({ config: { streamEditInterval: 0.1 } });
    const { platform, scene } = opened;
    platform.say("tell me a story");
    const message = await scene.next();
    const live = { sessionKey: message.sessionKey, turnId: message.id, channel: "feishu", chatId: "oc_ann" };
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await platform.waitFor(() => platform.messages.length === 1);
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: " a small robot" } });
    await platform.waitFor(() => platform.messages[0]?.text.includes("robot") === true);
    await scene.answer(message, "Once upon a time there was a small robot. The end.", { wasStreamed: true });
    await platform.waitFor(() => platform.messages[0]?.text.endsWith("The end.") === true);
    expect(platform.messages).toHaveLength(1);
  });

  it("is sent once when Feishu took it and the word of it was lost", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("/messages", "lost", "disconnect");
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await eventually(() => scene.bus.outbox.list()).toEqual([]);
    expect(platform.messages.map(({ text }) => text)).toEqual(["hello"]);
  });

  it("waits as long as Feishu asks for, and is sent with a new token when the old one is no longer taken", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.say("hi");
    const message = await scene.next();
    platform.failNext("/messages", {
      code: 99991400,
      msg: "request trigger frequency limit",
      status: 400,
      resetSeconds: 0.01,
    });
    platform.expireToken();
    await scene.answer(message, "hello");
    await platform.waitFor(() => platform.messages.length === 1);
    await eventually(() => scene.bus.outbox.list()).toEqual([]);
  });

  it("that Feishu will never take is set aside with the reason", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("/messages", {
      code: 230002,
      msg: "The bot can not be outside the group.",
      status: 400,
    });
    platform.say("hi");
    await scene.answer(await scene.next(), "hello");
    await eventually(() => scene.bus.outbox.list()).toMatchObject([
      { state: "dead", reason: { params: { quote: expect.stringContaining("outside the group") } } },
    ]);
  });

  it("whose card Feishu cannot show is sent as a post", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    platform.failNext("/messages", { code: 230099, msg: "Failed to create card content", status: 400 });
    platform.say("hi");
    await scene.answer(await scene.next(), "| a |\n|---|\n| 1 |");
    await platform.waitFor(() => platform.messages.length === 1);
    expect(platform.messages[0]?.type).toBe("post");
  });

  it("brings files by their kind, and replies where that is wanted", async () => {
    await using opened = await start({ config: { replyToMessage: true } });
    const { platform, scene } = opened;
    const names = ["plot.png", "talk.opus", "笔记.txt"];
    for (const name of names) await writeFile(join(scene.home, name), "x");
    const id = platform.say("plot");
    const media = names.map((name) => join(scene.home, name));
    await scene.answer(await scene.next(), "here", { media, replyTo: id });
    await platform.waitFor(() => platform.messages.length === 4);
    expect(platform.messages.map(({ type }) => type)).toEqual(["text", "image", "audio", "file"]);
    expect(platform.messages[0]).toMatchObject({ repliesTo: id, inThread: false });
  });
});

describe("the connection to Feishu", () => {
  it("comes back after Feishu was away, and nothing is lost", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await platform.waitFor(() => platform.isConnected);
    platform.failNext("/ws/endpoint", "garbage", { code: 1, msg: "system busy" });
    platform.disconnect();
    await platform.waitFor(() => !platform.isConnected);
    platform.say("after the storm");
    expect((await scene.next()).text).toBe("after the storm");
    await eventually(() => scene.manager.health()[0]).toMatchObject({ state: "running", received: 1 });
  });

  it("is shown to be there by its pings", async () => {
    await using opened = await start();
    await opened.platform.waitFor(() => opened.platform.pings >= 1);
    await eventually(() => opened.scene.manager.health()[0]?.state).toBe("running");
  });

  it("fails at once with the reason when the secret is wrong, and does not tell it", async () => {
    await using opened = await start({ config: { appSecret: "wr0ng-secret" } });
    await eventually(() => opened.scene.manager.health()[0]).toMatchObject({
      state: "failed",
      error: phrase("channels.feishu-credentials"),
    });
    expect(JSON.stringify(opened.scene.manager.health())).not.toContain("wr0ng-secret");
  });

  it("passes over what it does not understand", async () => {
    await using opened = await start();
    const { platform, scene } = opened;
    await platform.waitFor(() => platform.isConnected);
    platform.pushBytes(Buffer.from("garbage"));
    platform.pushBytes(encodeFrame({ ...odd, method: 9 }));
    platform.pushBytes(
      encodeFrame({
        ...odd,
        headers: [
          { key: "type", value: "event" },
          { key: "sum", value: "1e9" },
        ],
      }),
    );
    platform.push("{broken");
    platform.push({ header: { event_type: "im.chat.updated_v1" }, event: {} });
    platform.push({ header: { event_type: "im.message.receive_v1" }, event: { sender: null } });
    platform.say("from a bot", {}, { sender_type: "app" });
    platform.say("", { content: "{" });
    platform.say("", { message_type: "sticker", content: '{"file_key":"s"}' });
    platform.say("fine");
    expect((await scene.next()).text).toBe("fine");
  });
});

const odd = {
  sequence: 0n,
  logId: 0n,
  service: 7,
  method: 1,
  headers: [],
  payload: new Uint8Array(),
  others: [],
};
