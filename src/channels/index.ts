// The channels, a row each. Nothing of a channel is loaded until it is enabled.
import type { ChannelRow } from "./channel-kind.ts";

export const channelRows: ChannelRow[] = [
  {
    name: "dingtalk",
    packages: [],
    load: async () => (await import("./dingtalk/dingtalk.ts")).dingtalk,
  },
  {
    name: "discord",
    packages: [],
    load: async () => (await import("./discord/discord.ts")).discord,
  },
  {
    name: "email",
    packages: ["imapflow", "mailparser", "nodemailer"],
    load: async () => (await import("./email/email.ts")).email,
  },
  {
    name: "feishu",
    packages: [],
    load: async () => (await import("./feishu/feishu.ts")).feishu,
  },
  {
    name: "irc",
    packages: [],
    load: async () => (await import("./irc/irc.ts")).irc,
  },
  {
    name: "matrix",
    packages: [],
    load: async () => (await import("./matrix/matrix.ts")).matrix,
  },
  {
    name: "mattermost",
    packages: [],
    load: async () => (await import("./mattermost/mattermost.ts")).mattermost,
  },
  {
    name: "qq",
    packages: [],
    load: async () => (await import("./qq/qq.ts")).qq,
  },
  {
    name: "slack",
    packages: [],
    load: async () => (await import("./slack/slack.ts")).slack,
  },
  {
    name: "telegram",
    packages: [],
    load: async () => (await import("./telegram/telegram.ts")).telegram,
  },
  {
    name: "wecom",
    packages: [],
    load: async () => (await import("./wecom/wecom.ts")).wecom,
  },
  {
    name: "whatsapp",
    packages: [],
    load: async () => (await import("./whatsapp/whatsapp.ts")).whatsapp,
  },
  {
    name: "xmpp",
    packages: [],
    load: async () => (await import("./xmpp/xmpp.ts")).xmpp,
  },
];
