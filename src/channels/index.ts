// The channels, a row each. Nothing of a channel is loaded until it is enabled.
import type { ChannelRow } from "./channel-kind.ts";

export const channelRows: ChannelRow[] = [
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
    name: "slack",
    packages: [],
    load: async () => (await import("./slack/slack.ts")).slack,
  },
  {
    name: "telegram",
    packages: [],
    load: async () => (await import("./telegram/telegram.ts")).telegram,
  },
];
