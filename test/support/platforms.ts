// Every platform that a channel speaks to, in one form, for what all channels have in common: a person named Ann who
// is known, words in and out, a cable that can be cut, and credentials that can be wrong.
import { afterAll, onTestFinished } from "vitest";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { startFakeBoard } from "./fake-board.ts";
import { startFakeDiscord } from "./fake-discord.ts";
import { startFakeFeishu } from "./fake-feishu.ts";
import { startFakeSlack } from "./fake-slack.ts";
import { startFakeTelegram } from "./fake-telegram.ts";
import { startSmtp, toLetter, toMailConfig } from "./mail-scene.ts";
import { type Relay, startRelay } from "./relay.ts";

export interface Platform {
  /** The channel's block, which reaches the platform through the cable. */
  config: Record<string, unknown>;
  /** The same with credentials that the platform does not know. */
  wrong: Record<string, unknown>;
  /** What must never be told of them. */
  wrongSecret: string;
  /** As the config would list her. */
  ann: string;
  cable: Relay;
  /** By Ann in private; a second one with the same id is a repetition. */
  say(text: string, options?: { id?: number; name?: string }): Promise<void> | void;
  /** What was sent to Ann, as she reads it. */
  sent(): string[];
}

export interface PlatformRow {
  /** Of the channel. */
  name: string;
  open(): Promise<Platform>;
}

const wrongSecret = "9:wr0ng-5ecret";

/** To be called where tests are declared. */
export function usePlatforms(): PlatformRow[] {
  let dovecot: Promise<Dovecot> | undefined;
  afterAll(async () => (await dovecot)?.stop());
  return [
    { name: "telegram", open: openTelegram },
    { name: "discord", open: openDiscord },
    { name: "slack", open: openSlack },
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

async function layCable(url: string): Promise<Relay> {
  const cable = await startRelay(Number(new URL(url).port));
  onTestFinished(cable.close);
  return cable;
}
