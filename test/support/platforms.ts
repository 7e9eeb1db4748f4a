// Every platform that a channel speaks to, in one form, for what all channels have in common: a person named Ann who
// is known, words in and out, a cable that can be cut, and credentials that can be wrong.
import { afterAll, onTestFinished } from "vitest";
import { botPlatforms } from "./bot-platforms.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { startFakeBoard } from "./fake-board.ts";
import { startFakeDiscord } from "./fake-discord.ts";
import { startFakeFeishu } from "./fake-feishu.ts";
import { startFakeMatrix } from "./fake-matrix.ts";
import type { Json } from "./fake-platform.ts";
import { startFakeSlack } from "./fake-slack.ts";
import { startFakeTelegram } from "./fake-telegram.ts";
import { startSmtp, toLetter, toMailConfig } from "./mail-scene.ts";
import { layCable, type Platform, type PlatformRow, toBreak, toFailure, wrongSecret } from "./platform.ts";
import { useTextPlatforms } from "./text-platforms.ts";

/** To be called where tests are declared. */
export function usePlatforms(): PlatformRow[] {
  let dovecot: Promise<Dovecot> | undefined;
  afterAll(async () => (await dovecot)?.stop());
  return [
    ...useTextPlatforms(),
    ...botPlatforms,
    { name: "telegram", open: openTelegram },
    { name: "discord", open: openDiscord },
    { name: "slack", open: openSlack },
    { name: "matrix", open: openMatrix },
    { name: "feishu", open: openFeishu },
    { name: "blackboard", open: openBoard },
    {
      name: "email",
      async open() {
        dovecot ??= startDovecot();
        return openMail(await dovecot);
      },
    },
  ];
}

async function openTelegram(): Promise<Platform> {
  const fake = await startFakeTelegram();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const config = { token: fake.token, apiBase: `http://127.0.0.1:${cable.port}` };
  return {
    config,
    wrong: { ...config, token: wrongSecret },
    wrongSecret,
    ann: "42",
    cable,
    say(text, { id, name = "Ann" } = {}) {
      fake.say(text, {
        from: { id: 42, first_name: name },
        ...(id !== undefined && { message_id: id }),
      });
    },
    sent: () => fake.messages.map(({ text }) => text),
    sayInGroup: (text, { isMention }) =>
      void fake.say(isMention ? `@nano_bot ${text}` : text, { chat: { id: -7, type: "supergroup" } }),
    sayInThread: (text) =>
      void fake.say(`@nano_bot ${text}`, {
        chat: { id: -7, type: "supergroup" },
        message_thread_id: 9,
        is_topic_message: true,
      }),
    lastThread: () => fake.messages.at(-1)?.parameters.message_thread_id,
    sayWithFile(caption, name) {
      fake.files.set(name, Buffer.from("content"));
      fake.say("", { text: undefined, caption, document: { file_id: name, file_name: name } });
    },
    edit: (message_id, text) =>
      void fake.push({
        edited_message: {
          message_id,
          edit_date: 1,
          from: { id: 42, first_name: "Ann" },
          chat: { id: 42, type: "private" },
          text,
        },
      }),
    press(position) {
      const message = fake.messages.findLast(({ parameters }) => parameters.reply_markup !== undefined);
      const rows = message?.parameters.reply_markup as { inline_keyboard: Json[][] };
      const data = rows.inline_keyboard.flat()[position]?.callback_data;
      const from = { id: 42, is_bot: false, first_name: "Ann" };
      const about = { message_id: message?.id, chat: { id: 42, type: "private" } };
      fake.push({ callback_query: { id: `q${position}`, from, message: about, data } });
    },
    failNext(how) {
      const limit = { code: 429, description: "Too Many Requests", retryAfter: 0.01 };
      if (how !== "after") fake.failNext("sendMessage", how === "limit" ? limit : "disconnect");
    },
    revoke: () => fake.failNext("getUpdates", { code: 401, description: "Unauthorized" }),
  };
}

async function openDiscord(): Promise<Platform> {
  const fake = await startFakeDiscord();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const config = { token: fake.token, apiBase: `http://127.0.0.1:${cable.port}` };
  return {
    config,
    wrong: { ...config, token: wrongSecret },
    wrongSecret,
    ann: "42",
    cable,
    async say(text, { id, name = "Ann" } = {}) {
      // What was said before a bot came for the first time Discord does not tell it.
      await fake.waitFor(() => fake.beginnings.length > 0);
      const author = { id: "42", username: "ann", global_name: name };
      fake.say(text, { author, ...(id !== undefined && { id: `10000000000000${id}` }) });
    },
    sent: () => fake.messages.map(({ text }) => text),
    async sayInGroup(text, { isMention }) {
      await fake.waitFor(() => fake.beginnings.length > 0);
      fake.say(text, { guild_id: "55", channel_id: "7002", mentions: isMention ? [{ id: fake.botId }] : [] });
    },
    async sayWithFile(text, name) {
      await fake.waitFor(() => fake.beginnings.length > 0);
      fake.files.set(`/cdn/${name}`, Buffer.from("content"));
      fake.say(text, { attachments: [{ url: `${fake.url}/cdn/${name}`, filename: name }] });
    },
    edit: (id, content) =>
      fake.push("MESSAGE_UPDATE", {
        id: `10000000000000${id}`,
        channel_id: "7001",
        author: { id: "42", username: "ann" },
        content,
        edited_timestamp: "2026-01-01T00:00:00+00:00",
      }),
    remove: (id) => fake.push("MESSAGE_DELETE", { id: `10000000000000${id}`, channel_id: "7001" }),
    press(position) {
      const rows = fake.messages.flatMap(({ body }) => (body.components ?? []) as Json[]);
      const button = rows.flatMap((row) => row.components as Json[])[position];
      const about = { channel_id: "7001", user: { id: "42", username: "ann" }, token: "t" };
      const data = { custom_id: button?.custom_id };
      fake.push("INTERACTION_CREATE", { ...about, id: `i${position}`, type: 3, data });
    },
    failNext: (how) => fake.failNext(/^POST .*messages$/, toFailure(how, { retry_after: 0.01 })),
    knowsKeys: true,
    revoke() {
      fake.failNext(/users\/@me/, { status: 401, body: { message: "401: Unauthorized" } });
      fake.drop();
    },
  };
}

async function openSlack(): Promise<Platform> {
  const fake = await startFakeSlack();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const { botToken, appToken } = fake;
  const config = { botToken, appToken, apiBase: `http://127.0.0.1:${cable.port}` };
  return {
    config,
    wrong: { ...config, botToken: wrongSecret },
    wrongSecret,
    ann: "U42",
    cable,
    say(text, { id } = {}) {
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      fake.say(escaped, id === undefined ? {} : { ts: `1600000000.${id}` });
    },
    sent: () => fake.messages.map(({ text }) => text),
    sayInGroup: (text, { isMention }) =>
      void fake.say(isMention ? `<@${fake.botId}> ${text}` : text, {
        channel: "C1",
        channel_type: "channel",
      }),
    sayInThread: (text) =>
      void fake.say(`<@${fake.botId}> ${text}`, {
        channel: "C1",
        channel_type: "channel",
        thread_ts: "1600000000.000009",
      }),
    lastThread: () => fake.messages.at(-1)?.body.thread_ts,
    sayWithFile(text, name) {
      fake.files.set(`/files/${name}`, Buffer.from("content"));
      const files = [{ name, url_private_download: `${fake.url}/files/${name}` }];
      fake.say(text, { subtype: "file_share", files });
    },
    edit(id, text) {
      const message = {
        user: "U42",
        text,
        ts: `1600000000.${id}`,
        edited: { user: "U42", ts: "1600000001.0" },
      };
      const about = { type: "message", channel: "D1", channel_type: "im", ts: "1600000001.1" };
      fake.push("events_api", { event: { ...about, subtype: "message_changed", message } });
    },
    remove(id) {
      const about = { type: "message", channel: "D1", channel_type: "im", ts: "1600000002.1" };
      const event = { ...about, subtype: "message_deleted", deleted_ts: `1600000000.${id}` };
      fake.push("events_api", { event });
    },
    press(position) {
      const blocks = fake.messages.flatMap(({ body }) => (body.blocks ?? []) as Json[]);
      const button = blocks.flatMap((block) => (block.elements ?? []) as Json[])[position];
      const actions = [{ value: button?.value, action_ts: `9.${position}` }];
      const about = { user: { id: "U42" }, channel: { id: "D1" } };
      fake.push("interactive", { type: "block_actions", ...about, actions });
    },
    failNext: (how) => fake.failNext(/postMessage/, toFailure(how, { ok: false, error: "ratelimited" })),
    revoke() {
      fake.failNext(/auth\.test/, { status: 200, body: { ok: false, error: "token_revoked" } });
      fake.move();
    },
  };
}

async function openMatrix(): Promise<Platform> {
  const fake = await startFakeMatrix();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const config = {
    homeserver: `http://127.0.0.1:${cable.port}`,
    accessToken: fake.token,
    streamEditInterval: 0.1,
  };
  return {
    config,
    wrong: { ...config, accessToken: wrongSecret },
    wrongSecret,
    ann: "@ann:test",
    cable,
    async say(text, { id } = {}) {
      // What was said before the first start does not count.
      await fake.waitFor(() => fake.syncs > 1);
      fake.say(text, id === undefined ? {} : { event_id: `$${id}` });
    },
    sent: () => fake.shown("!dm:test"),
    async sayInGroup(text, { isMention }) {
      await fake.waitFor(() => fake.syncs > 1);
      fake.say(isMention ? `@nano:test: ${text}` : text, { room: "!group:test" });
    },
    async sayInThread(text) {
      await fake.waitFor(() => fake.syncs > 1);
      const relation = { rel_type: "m.thread", event_id: "$root9" };
      const content = { msgtype: "m.text", body: `@nano:test: ${text}`, "m.relates_to": relation };
      fake.say("", { room: "!group:test", content });
    },
    lastThread: () =>
      (fake.events.findLast(({ sender }) => sender === fake.userId)?.content["m.relates_to"] as Json)
        ?.event_id,
    async sayWithFile(body, filename) {
      await fake.waitFor(() => fake.syncs > 1);
      fake.files.set("/_matrix/client/v1/media/download/test/abc", Buffer.from("content"));
      fake.say(body, { content: { msgtype: "m.file", body, filename, url: "mxc://test/abc" } });
    },
    edit(id, text) {
      const now = { msgtype: "m.text", body: text };
      const relation = { rel_type: "m.replace", event_id: `$${id}` };
      fake.say("", {
        content: { ...now, body: `* ${text}`, "m.new_content": now, "m.relates_to": relation },
      });
    },
    remove: (id) =>
      fake.say("", { type: "m.room.redaction", redacts: `$${id}`, content: { redacts: `$${id}` } }),
    failNext: (how) =>
      fake.failNext(/^PUT .*\/send\//, toFailure(how, { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 10 })),
    knowsKeys: true,
    revoke: () => fake.revoke(),
  };
}

async function openFeishu(): Promise<Platform> {
  const fake = await startFakeFeishu();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const cable = await layCable(fake.url);
  const { appId, appSecret } = fake;
  const config = { appId, appSecret, apiBase: `http://127.0.0.1:${cable.port}` };
  return {
    config,
    wrong: { ...config, appSecret: wrongSecret },
    wrongSecret,
    ann: "ou_ann",
    cable,
    say(text, { id, name } = {}) {
      const mentions = name === undefined ? [] : [{ key: "@_user_1", id: { open_id: "ou_x" }, name }];
      fake.say(text, { mentions, ...(id !== undefined && { message_id: `om_${id}` }) });
    },
    sent: () => fake.messages.map(({ text }) => text),
    sayInGroup: (text, { isMention }) => {
      const mentions = isMention ? [{ key: "@_user_1", id: { open_id: fake.openId }, name: "Nano" }] : [];
      const place = { chat_type: "group", chat_id: "oc_group", mentions };
      fake.say(isMention ? `@_user_1 ${text}` : text, place);
    },
    sayInThread: (text) => {
      const mentions = [{ key: "@_user_1", id: { open_id: fake.openId }, name: "Nano" }];
      const thread = { thread_id: "omt_9", root_id: "om_root9" };
      fake.say(`@_user_1 ${text}`, { chat_type: "group", chat_id: "oc_group", mentions, ...thread });
    },
    lastThread: () => fake.messages.at(-1)?.repliesTo,
    remove: (id) =>
      fake.push({
        schema: "2.0",
        header: { event_id: `r${id}`, event_type: "im.message.recalled_v1" },
        event: { message_id: `om_${id}`, chat_id: "oc_ann", recall_type: "message_owner" },
      }),
    failNext: (how) =>
      fake.failNext(
        "/im/v1/messages",
        how === "limit" ? { code: 99991400, msg: "limit", status: 429, resetSeconds: 1 } : toBreak(how),
      ),
    knowsKeys: true,
  };
}

/** The example of docs/adding-a-channel.md. */
async function openBoard(): Promise<Platform> {
  const board = await startFakeBoard();
  const cable = await layCable(board.url);
  const config = { token: board.token, apiBase: `http://127.0.0.1:${cable.port}` };
  return {
    config,
    wrong: { ...config, token: wrongSecret },
    wrongSecret,
    ann: "ann",
    cable,
    say: board.say,
    sent: () => [...board.pinned.values()].map(({ text }) => text),
  };
}

async function openMail(dovecot: Dovecot): Promise<Platform> {
  const account = await dovecot.openAccount();
  onTestFinished(account.close);
  const smtp = await startSmtp();
  const config = toMailConfig(account, smtp.port);
  let count = 0;
  return {
    config,
    wrong: { ...config, imapPassword: wrongSecret },
    wrongSecret,
    ann: "ann@example.org",
    cable: account,
    say(text, { id = 1_000 + ++count, name = "Ann" } = {}) {
      const encode = (words: string) => `=?utf-8?B?${Buffer.from(words).toString("base64")}?=`;
      const headers = { From: `${encode(name)} <ann@example.org>`, "Message-ID": `<${id}@example.org>` };
      return account.deliver(toLetter(text, headers));
    },
    sent: () => smtp.sent.map(({ text = "" }) => text.trim()),
  };
}
