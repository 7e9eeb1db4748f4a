// Writes the table over all platforms in docs/channels.md from what the channels declare: `node scripts/channel-table.ts`. A
// test fails when it differs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Channel } from "../src/bus/channel.ts";
import { channelRows } from "../src/channels/index.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";

const begin = "<!-- Written by scripts/channel-table.ts: -->";
const end = "<!-- End of what is written. -->";
export const channelsPage = join(import.meta.dirname, "../docs/channels.md");

/** What cannot be declared: how exactly once is kept, and against what it was tried. */
interface Facts {
  title: string;
  example: Record<string, unknown>;
  groups: string;
  /** What was said while the connection was lost. */
  missed: string;
  /** A part that is sent again after a crash. */
  again: string;
  tried: string;
}

const mail = { imapHost: "h", imapUsername: "a@b.c", imapPassword: "p", smtpHost: "h" };
const facts: Record<string, Facts> = {
  dingtalk: {
    title: "DingTalk",
    example: { clientId: "a", clientSecret: "b" },
    groups: "mention",
    missed: "sent again",
    again: "may be shown twice",
    tried: "no: fake",
  },
  discord: {
    title: "Discord",
    example: { token: "a" },
    groups: "mention, reply, threads",
    missed: "asked for",
    again: "once",
    tried: "no: fake",
  },
  email: {
    title: "Email",
    example: { ...mail, consentGranted: true },
    groups: "none",
    missed: "stays in the mailbox",
    again: "shown once by mail programs",
    tried: "yes: Dovecot",
  },
  feishu: {
    title: "Feishu, Lark",
    example: { appId: "a", appSecret: "b" },
    groups: "mention, reply, threads",
    missed: "sent again",
    again: "once, for an hour",
    tried: "no: fake",
  },
  irc: {
    title: "IRC",
    example: { host: "h" },
    groups: "mention",
    missed: "**lost**",
    again: "may be shown twice",
    tried: "yes: ngIRCd",
  },
  matrix: {
    title: "Matrix (not encrypted)",
    example: { accessToken: "a" },
    groups: "mention, reply, threads",
    missed: "asked for",
    again: "once",
    tried: "yes: Synapse",
  },
  mattermost: {
    title: "Mattermost",
    example: { serverUrl: "https://a.b", token: "a" },
    groups: "mention, threads",
    missed: "asked for",
    again: "once, for some seconds",
    tried: "no: fake",
  },
  qq: {
    title: "QQ",
    example: { appId: "a", secret: "b" },
    groups: "mention",
    missed: "sent again within a session, else **lost**",
    again: "once",
    tried: "no: fake",
  },
  slack: {
    title: "Slack",
    example: { botToken: "a", appToken: "b" },
    groups: "mention, threads",
    missed: "sent again",
    again: "may be shown twice",
    tried: "no: fake",
  },
  telegram: {
    title: "Telegram",
    example: { token: "a" },
    groups: "mention, reply, topics",
    missed: "kept for a day",
    again: "may be shown twice",
    tried: "no: fake",
  },
  wecom: {
    title: "WeCom",
    example: { botId: "a", secret: "b" },
    groups: "mention",
    missed: "**lost**",
    again: "may be shown twice",
    tried: "no: fake",
  },
  whatsapp: {
    title: "WhatsApp (Cloud API)",
    example: { phoneNumberId: "1", accessToken: "a", appSecret: "b", verifyToken: "12345678" },
    groups: "none",
    missed: "sent again for days",
    again: "may be shown twice",
    tried: "no: fake",
  },
  xmpp: {
    title: "XMPP",
    example: { jid: "a@b.c", password: "p" },
    groups: "mention",
    missed: "kept by the server; rooms are asked",
    again: "may be shown twice",
    tried: "yes: Prosody",
  },
};

/** A block that a channel takes, without `enabled`. */
export function exampleOf(name: string): Record<string, unknown> {
  return facts[name]?.example ?? {};
}

export async function renderChannelsPage(page: string): Promise<string> {
  const [before = "", rest = ""] = page.split(begin);
  const [, after = ""] = rest.split(end);
  return `${before}${begin}\n\n${await renderTable()}\n${end}${after}`;
}

async function renderTable(): Promise<string> {
  const rows = await Promise.all(channelRows.map(({ name, load }) => renderRow(name, load)));
  const titles = [
    "",
    "groups",
    "answers grow",
    "files out",
    "buttons",
    "told of",
    "text",
    "said meanwhile",
    "sent again",
    "real server",
  ];
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

async function renderRow(name: string, load: (typeof channelRows)[number]["load"]): Promise<string[]> {
  const known = facts[name];
  if (known === undefined) throw new Error(`scripts/channel-table.ts has no row for ${name}`);
  const { schema, create } = await load();
  const context = {
    clock: systemClock,
    log: silentLog,
    fetch: globalThis.fetch,
    folder: "/nonexistent",
    commands: [],
  };
  const { capabilities } = await create(schema.parse(known.example), context);
  const { title, groups, missed, again, tried } = known;
  return [title, groups, ...describe(capabilities), missed, again, tried];
}

function describe(capabilities: Channel["capabilities"]): string[] {
  const { streaming, media, buttons, canAsk, maxTextLength, markup, revisions = [] } = capabilities;
  return [
    streaming === "edit" ? "yes" : "no",
    media ? "yes" : "no",
    buttons ? "yes" : canAsk ? "by typing" : "nothing is approved",
    revisions.join(", ") || "neither",
    `${markup}${maxTextLength === undefined ? "" : `, ${maxTextLength}`}`,
  ];
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(channelsPage, await renderChannelsPage(readFileSync(channelsPage, "utf8")));
}
