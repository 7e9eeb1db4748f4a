// The platforms whose fakes are written after public documentation of their bots: QQ, DingTalk, WeCom, WhatsApp,
// Mattermost.
import { onTestFinished } from "vitest";
import { startFakeDingtalk } from "./fake-dingtalk.ts";
import { startFakeMattermost } from "./fake-mattermost.ts";
import type { Json } from "./fake-platform.ts";
import { startFakeQq } from "./fake-qq.ts";
import { startFakeWecom } from "./fake-wecom.ts";
import { startFakeWhatsapp } from "./fake-whatsapp.ts";
import { layCable, type Platform, type PlatformRow, toFailure, wrongSecret } from "./platform.ts";

export const botPlatforms: PlatformRow[] = [
  { name: "mattermost", open: openMattermost },
  { name: "qq", open: openQq },
  { name: "dingtalk", open: openDingtalk },
  { name: "wecom", open: openWecom },
  { name: "whatsapp", open: openWhatsapp },
];

async function openMattermost(): Promise<Platform> {
  const fake = await startFakeMattermost();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const config = { serverUrl: `http://127.0.0.1:${cable.port}`, token: fake.token, streamEditInterval: 0.1 };
  let hasBegun = false;
  const begin = async () => {
    if (!hasBegun) await fake.waitFor(() => fake.isConnected);
    hasBegun = true;
  };
  return {
    config,
    wrong: { ...config, token: wrongSecret },
    wrongSecret,
    ann: "ann",
    cable,
    async say(text, { id } = {}) {
      await begin();
      fake.say(text, id === undefined ? {} : { id: `x${id}` });
    },
    sent: () => fake.shown(),
    async sayInGroup(text, { isMention }) {
      await begin();
      fake.say(isMention ? `@nano ${text}` : text, { channel_id: "town" });
    },
    async sayInThread(text) {
      await begin();
      fake.say(`@nano ${text}`, { channel_id: "town", root_id: "root9" });
    },
    lastThread: () => fake.posts.findLast(({ user_id }) => user_id === "bot")?.root_id,
    async sayWithFile(text) {
      await begin();
      fake.files.set("/api/v4/files/f1", Buffer.from("content"));
      fake.say(text, { file_ids: ["f1"] });
    },
    edit: (id, message) => fake.change("post_edited", `x${id}`, { message, edit_at: 5_000 }),
    remove: (id) => fake.change("post_deleted", `x${id}`, { delete_at: 6_000 }),
    failNext: (how) => fake.failNext(/^POST .*\/posts$/, toFailure(how, { message: "limit" })),
    knowsKeys: true,
    revoke: () => fake.revoke(),
  };
}

async function openQq(): Promise<Platform> {
  const fake = await startFakeQq();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const base = `http://127.0.0.1:${cable.port}`;
  const config = { appId: fake.appId, secret: fake.secret, apiBase: base, tokenBase: base };
  return {
    config,
    wrong: { ...config, secret: wrongSecret },
    wrongSecret,
    ann: "ANN",
    cable,
    async say(text, { id } = {}) {
      await fake.waitFor(() => fake.beginnings.length > 0);
      fake.say(text, id === undefined ? {} : { id: `ROBOT1.0_x${id}` });
    },
    sent: () => fake.messages.map(({ text }) => text),
    async sayInGroup(text, { isMention }) {
      await fake.waitFor(() => fake.beginnings.length > 0);
      // A bot is told only of what is said to it.
      if (isMention) fake.say(` ${text}`, { group_openid: "GROUP1" });
    },
    failNext: (how) =>
      fake.failNext(/messages$/, toFailure(how, { code: 22009, message: "msg limit exceed" })),
    knowsKeys: true,
    revoke() {
      fake.secret = "another";
      fake.drop(4004);
    },
  };
}

async function openDingtalk(): Promise<Platform> {
  const fake = await startFakeDingtalk();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const base = `http://127.0.0.1:${cable.port}`;
  const { clientId, clientSecret } = fake;
  const config = { clientId, clientSecret, apiBase: base, uploadBase: base };
  return {
    config,
    wrong: { ...config, clientSecret: wrongSecret },
    wrongSecret,
    ann: "ann01",
    cable,
    say: (text, { id, name = "Ann" } = {}) =>
      void fake.say(text, { senderNick: name, ...(id !== undefined && { msgId: `x${id}` }) }),
    sent: () => fake.messages.map(({ text }) => text),
    sayInGroup: (text, { isMention: isInAtList }) =>
      void fake.say(` ${text} `, { conversationType: "2", conversationId: "cidgroup0001==", isInAtList }),
    sayWithFile(content, fileName) {
      fake.files.set("/files/code1", Buffer.from("content"));
      const richText = [{ text: content }, { downloadCode: "code1" }];
      fake.say("", { msgtype: "richText", text: undefined, content: { richText, fileName } });
    },
    failNext: (how) => fake.failNext(/oToMessages/, toFailure(how, { code: "Throttling", message: "limit" })),
    revoke() {
      fake.clientSecret = "another";
      fake.move();
    },
  };
}

async function openWecom(): Promise<Platform> {
  const fake = await startFakeWecom();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const { botId, secret } = fake;
  const config = { botId, secret, socketUrl: `ws://127.0.0.1:${cable.port}` };
  const isThere = () => fake.waitFor(() => fake.isSubscribed);
  return {
    config,
    wrong: { ...config, secret: wrongSecret },
    wrongSecret,
    ann: "ann",
    cable,
    // Messages have ids, and none is repeated or kept.
    isLossy: true,
    async say(text, { id } = {}) {
      await isThere();
      fake.say(text, id === undefined ? {} : { msgid: `x${id}` });
    },
    sent: () => fake.messages.map(({ text }) => text),
    async sayInGroup(text, { isMention }) {
      await isThere();
      if (isMention) fake.say(`@Nano ${text}`, { chattype: "group", chatid: "wr1" });
    },
    async sayWithFile(content, name) {
      await isThere();
      fake.files.set("/files/f1", fake.encrypt("content"));
      const file = { url: `${fake.url}/files/f1`, aeskey: fake.aesKey.toString("base64"), name };
      const msg_item = [
        { msgtype: "text", text: { content } },
        { msgtype: "file", file },
      ];
      fake.say("", { msgtype: "mixed", text: undefined, mixed: { msg_item } });
    },
    failNext: (how) =>
      void fake.failures.push(how === "limit" ? { errcode: 45009, errmsg: "freq limit" } : how),
    revoke: () => fake.revoke(),
  };
}

async function openWhatsapp(): Promise<Platform> {
  const fake = await startFakeWhatsapp();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const { phoneNumberId, accessToken, appSecret } = fake;
  const apiBase = `http://127.0.0.1:${cable.port}`;
  const config = { phoneNumberId, accessToken, appSecret, verifyToken: "a-word-of-ours", apiBase };
  let handle: ((request: Request) => Promise<Response>) | undefined;
  // As Meta does it: again until it is taken.
  const push = async (text: string, message: Json = {}) => {
    const request = fake.toRequest(text, message);
    for (;;) {
      const response = await handle?.(request.clone());
      if (response?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const toButton = (position: number) => {
    const { interactive } = fake.messages.findLast(({ body }) => body.type === "interactive")?.body ?? {};
    const { buttons } = (interactive as Json).action as { buttons: Array<{ reply: Json }> };
    return buttons[position]?.reply;
  };
  return {
    config,
    wrong: { ...config, accessToken: wrongSecret },
    wrongSecret,
    ann: "4930123",
    cable,
    isPushed: true,
    onCreated({ http }) {
      handle = http?.handle;
    },
    say: (text, { id } = {}) => push(text, id === undefined ? {} : { id: `wamid.x${id}` }),
    sent: () => fake.messages.map(({ text }) => text),
    async sayWithFile(caption, filename) {
      fake.files.set("/files/media1", Buffer.from("content"));
      await push("", { type: "document", text: undefined, document: { id: "media1", caption, filename } });
    },
    edit: (id, body) =>
      push("", {
        type: "edit",
        text: undefined,
        edit: { original_message_id: `wamid.x${id}`, message: { type: "text", text: { body } } },
      }),
    remove: (id) =>
      push("", { type: "revoke", text: undefined, revoke: { original_message_id: `wamid.x${id}` } }),
    press: (position) =>
      void push("", {
        type: "interactive",
        text: undefined,
        interactive: { button_reply: toButton(position) },
      }),
    async failNext(how) {
      // That the message was read is told by the same request.
      await fake.waitFor(() => fake.calls.includes(`POST /${phoneNumberId}/messages`));
      fake.failNext(/messages$/, toFailure(how, { error: { code: 130429, message: "rate limit" } }));
    },
  };
}
