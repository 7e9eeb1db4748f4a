// Why a channel has no connection to its platform, or the platform did not take a message, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const channelFailurePhrases = {
  "channels.failed": (
    { channel, reason }: { channel: string; reason: InnerPhrase },
    { say }: PhraseContext,
  ) => `The channel ${channel} cannot be started: ${say(reason)}`,
  "channels.lost": ({ channel, reason }: { channel: string; reason: InnerPhrase }, { say }: PhraseContext) =>
    `The channel ${channel} is not connected: ${say(reason)} Trying again.`,
  /** Words of a custom channel, or an error that nobody has named. */
  "channels.quoted": ({ quote }: { quote: string }) => `"${quote}"`,
  "channels.unreachable": ({ platform }: { platform: string }) => `${platform} cannot be reached.`,
  "channels.disconnected": ({ platform }: { platform: string }) => `The connection to ${platform} was lost.`,
  "channels.ended": "The connection ended.",
  "channels.silent": "The platform stopped answering.",
  "channels.refused": ({ platform, quote }: { platform: string; quote: string }) =>
    `${platform} answered: "${quote}"`,
  "channels.odd-answer": ({ platform, status }: { platform: string; status: number }) =>
    `${platform} gave an answer that makes no sense (${status}).`,
  "channels.file-unreadable": ({ file }: { file?: string }) => `${file ?? "An attachment"} cannot be read.`,
  "channels.file-too-large": (file: { file: string; platform: string; megabytes: number }) =>
    `${file.file} is larger than the ${file.megabytes} MB that ${file.platform} accepts.`,
  "channels.telegram-token": ({ status }: { status: number }) =>
    `Telegram does not know this token (${status}). Copy it again from BotFather into channels.telegram.token.`,
  "channels.telegram-shared": "Another program uses this Telegram token. Stop it, or create another bot.",
  "channels.feishu-credentials":
    "Feishu does not know this app or its secret. Copy both again from the developer console into channels.feishu.appId and appSecret; for Lark set domain to lark.",
  "channels.feishu-no-bot":
    "This app is no bot yet. Add the ability Bot to it in the developer console, and publish a version.",
  "channels.feishu-insecure": "Feishu offered a connection without encryption, which is not used.",
  "channels.imap-credentials": ({ host }: { host: string }) =>
    `${host} does not accept this user name and password. Check channels.email.imapUsername and imapPassword; many servers want a password for apps.`,
  "channels.smtp-credentials": ({ host }: { host: string }) =>
    `${host} does not accept this user name and password. Check channels.email.smtpUsername and smtpPassword.`,
  "channels.no-mail-folder": ({ folder }: { folder: string }) =>
    `There is no folder "${folder}" (channels.email.imapMailbox).`,
  "channels.no-mail-marks":
    "This mail server keeps no marks but \\Seen. Set channels.email.markSeen to true, so that no mail is answered twice.",
  "channels.mail-refused": ({ host, status }: { host: string; status: number }) =>
    `${host} did not accept the mail (${status}).`,
  "channels.no-mail-address": ({ address }: { address: string }) => `"${address}" is no mail address.`,
  "channels.custom-late": ({ call, seconds }: { call: "create" | "send"; seconds: number }) =>
    `${call} was not done after ${seconds} seconds.`,
  "channels.custom-silent": ({ seconds }: { seconds: number }) =>
    `It did not call inbox.reportAlive in ${seconds} seconds.`,
  "channels.custom-unending":
    "It did not end when its signal aborted. Fix the channel, then start the gateway.",
  "channels.custom-no-channel": "create returned no channel: it has to return an object with start and send.",
  "channels.custom-capabilities": ({ quote }: { quote: string }) => `Its capabilities are wrong: ${quote}`,
};
