// Channels: why one does not run or did not take a message, and who has access, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

/** One setting of a channel, with what is wrong with it. */
export interface BadSetting {
  path: string;
  reason: InnerPhrase;
}

export const channelPhrases = {
  "channels.unknown": ({ channel, nearest }: { channel: string; nearest?: string }) =>
    `There is no channel "${channel}" (channels.${channel}). ${nearest === undefined ? "Fix the name, or remove the block." : `Did you mean "${nearest}"?`}`,
  "channels.needs-package": ({ channel, command }: { channel: string; command: string }) =>
    `The channel ${channel} needs a package that is not installed. Run: ${command}`,
  "channels.bad-settings": (
    { channel, settings }: { channel: string; settings: BadSetting[] },
    { say }: PhraseContext,
  ) =>
    `The channel ${channel} cannot be started: ${settings.map(({ path, reason }) => `${path}: ${say(reason)}`).join(" ")}`,
  "channels.file-not-used": (
    { channel, reason }: { channel: string; reason: InnerPhrase },
    { say }: PhraseContext,
  ) => `The channel ${channel} cannot be started: ${say(reason)}`,
  "channels.not-saved": "Some settings are missing or wrong.",
  "channels.not-found": ({ channel }: { channel: string }) => `There is no channel "${channel}".`,
  "channels.install-first": ({ command }: { command: string }) =>
    `A package is missing. On the computer where nanobot runs, run: ${command}`,
  "channels.no-check": "This channel cannot be tested.",
  "channels.secret-elsewhere":
    "A saved secret is never sent to a new address. Enter it again if you want to use it there.",
  "channels.heartbeat-target": ({ target }: { target: string }) =>
    `The regular check reports to ${target}, but that channel is not running, so it waits. Turn the channel on, or let it report to "last", the chat where you wrote last.`,
  "channels.needs-mailbox": "Enter the folder that processed mail is moved to.",
  "channels.needs-address": "Enter an email address, because the user name is not one.",

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
    `${platform} sent an unexpected answer (${status}).`,
  "channels.file-unreadable": ({ file }: { file?: string }) => `${file ?? "An attachment"} cannot be read.`,
  "channels.file-too-large": (file: { file: string; platform: string; megabytes: number }) =>
    `${file.file} is larger than the ${file.megabytes} MB that ${file.platform} accepts.`,
  "channels.telegram-token": ({ status }: { status: number }) =>
    `Telegram does not know this token (${status}). Copy it again from BotFather into the settings of the channel.`,
  "channels.telegram-shared": "Another program uses this Telegram token. Stop it, or create another bot.",
  "channels.feishu-credentials":
    "Feishu does not know this app or its secret. Copy both again from the developer console into the settings of the channel; for Lark choose the domain lark.",
  "channels.feishu-no-bot":
    "This app is not a bot yet. Add the bot ability to it in the developer console, and publish a version.",
  "channels.insecure": ({ platform }: { platform: string }) =>
    `${platform} offered a connection without encryption, which is not used.`,
  "channels.discord-token":
    "Discord does not know this token. Copy it again from the developer portal, page Bot, into the settings of the channel.",
  "channels.discord-intents":
    "The bot may not read messages yet. In the Discord developer portal, page Bot, turn on Message Content Intent, then restart.",
  "channels.slack-bot-token": ({ quote }: { quote: string }) =>
    `Slack does not accept the bot token ("${quote}"). Copy it again from OAuth & Permissions into the settings of the channel; it begins with xoxb-.`,
  "channels.slack-app-token": ({ quote }: { quote: string }) =>
    `Slack does not accept the app token ("${quote}"). Create one with the scope connections:write, turn on Socket Mode, and copy it into the settings of the channel; it begins with xapp-.`,
  "channels.no-tls": ({ host }: { host: string }) =>
    `No encrypted connection to ${host} could be made, or its certificate is not valid. Check server and port in the settings of the channel.`,
  "channels.irc-password": ({ host }: { host: string }) =>
    `${host} does not accept this account and password. Check both in the settings of the channel.`,
  "channels.irc-refused": ({ host, quote }: { host: string; quote: string }) =>
    `${host} does not let the assistant in: "${quote}"`,
  "channels.xmpp-password": ({ host }: { host: string }) =>
    `${host} does not accept this address and password. Check both in the settings of the channel.`,
  "channels.matrix-token":
    "The Matrix server does not accept this access token. Sign in again with the assistant's account and copy the new token into the settings of the channel.",
  "channels.qq-credentials":
    "QQ does not know this AppID or its secret. Copy both again from q.qq.com into the settings of the channel.",
  "channels.qq-off": "QQ has switched this bot off, or it was not published. Look at its page on q.qq.com.",
  "channels.dingtalk-credentials": ({ quote }: { quote: string }) =>
    `DingTalk does not accept this Client ID and secret ("${quote}"). Copy both again from the developer console into the settings of the channel, and choose stream mode there.`,
  "channels.wecom-credentials": ({ quote }: { quote: string }) =>
    `WeCom does not accept this bot and its secret ("${quote}"). Copy both again from the page of the bot into the settings of the channel.`,
  "channels.wecom-shared":
    "Another program uses this WeCom bot. Stop it, or create another bot, then restart.",
  "channels.whatsapp-token": ({ quote }: { quote: string }) =>
    `WhatsApp does not accept the access token or the phone number ID ("${quote}"). Copy both again from the Meta developer page into the settings of the channel.`,
  "channels.whatsapp-window":
    "WhatsApp lets the assistant write only within 24 hours after the person's last message.",
  "channels.file-kind": ({ file, platform }: { file: string; platform: string }) =>
    `${platform} does not accept files like ${file}.`,
  "channels.mattermost-token":
    "Mattermost does not accept this token. Create a new one for the bot account and copy it into the settings of the channel.",
  "channels.imap-credentials": ({ host }: { host: string }) =>
    `${host} does not accept this user name and password. Check the IMAP user name and password in the settings of the channel; many servers require an app password.`,
  "channels.smtp-credentials": ({ host }: { host: string }) =>
    `${host} does not accept this user name and password. Check the SMTP user name and password in the settings of the channel.`,
  "channels.no-mail-folder": ({ folder }: { folder: string }) =>
    `There is no folder "${folder}" in this mailbox. Choose another one in the settings of the channel.`,
  "channels.no-mail-marks":
    "This mail server can only mark mail as read. Let it do so in the settings of the channel, so that no mail is answered twice.",
  "channels.mail-refused": ({ host, status }: { host: string; status: number }) =>
    `${host} did not accept the mail (${status}).`,
  "channels.no-mail-address": ({ address }: { address: string }) => `"${address}" is not an email address.`,
  "channels.custom-late": ({ call, seconds }: { call: "create" | "send"; seconds: number }) =>
    `${call} was not done after ${seconds} seconds.`,
  "channels.custom-silent": ({ seconds }: { seconds: number }) =>
    `It did not call inbox.reportAlive in ${seconds} seconds.`,
  "channels.custom-unending":
    "It did not end when its signal aborted. Fix the channel, then start the gateway.",
  "channels.custom-no-channel": "create returned no channel: it has to return an object with start and send.",
  "channels.custom-capabilities": ({ quote }: { quote: string }) => `Its capabilities are wrong: ${quote}`,

  "pairing.bad-person": ({ name }: { name: string }) =>
    `"${name}" cannot be a person's name. Use letters, digits, - and _; "owner" is taken.`,
  "pairing.no-code": ({ code }: { code: string }) =>
    `There is no request with the code ${code}. Codes expire after ten minutes.`,
  "outbox.unknown-chat": ({ channel, chatId }: { channel: string; chatId: string }) =>
    `Nobody in ${channel}:${chatId} has access, so nothing is sent there.`,
  "pairing.not-paired": ({ sender }: { sender: string }) => `${sender} has no access.`,
  "pairing.not-in-group": "Who gets access is decided in private, not in a group.",
  "pairing.closed": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} Until then nobody new gets access.`,
};
