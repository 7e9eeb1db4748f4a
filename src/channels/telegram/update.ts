// From Telegram's update to ours: who said what, where, with which file, and whether it was said to the bot.
import type { Chat, Message, Update, User } from "grammy/types";
import type { ChannelPress, ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";

const topicMark = "topic:";

/** Of a thread that `toUpdate` named. */
export function toTopic(thread: string | undefined): number | undefined {
  const topic = thread?.startsWith(topicMark) ? Number(thread.slice(topicMark.length)) : Number.NaN;
  return Number.isSafeInteger(topic) ? topic : undefined;
}

/** A button of ours that was pressed. */
export function toPress({ callback_query: query }: Update): ChannelPress | undefined {
  const { message, data, from } = query ?? {};
  if (query === undefined || message === undefined || data === undefined || from === undefined)
    return undefined;
  const isTopic = "is_topic_message" in message && message.is_topic_message === true;
  const topic = isTopic ? message.message_thread_id : undefined;
  return {
    platformId: query.id,
    chat: toChat(message.chat, topic),
    sender: toSender(from),
    token: data,
  };
}

function toChat({ id, type }: Chat, topic: number | undefined): ChannelUpdate["chat"] {
  return {
    id: String(id),
    isGroup: type !== "private",
    ...(topic !== undefined && { thread: `${topicMark}${topic}` }),
  };
}

function toSender({ id, first_name, last_name, username }: User): ChannelUpdate["sender"] {
  return {
    id: String(id),
    name: [first_name, last_name].filter(Boolean).join(" "),
    ...(username !== undefined && { aliases: [username, `@${username}`] }),
  };
}

/** How a message reads now. Deletions are not told to bots. */
export function toEdit(
  { edited_message: message, ...rest }: Update,
  username: string,
): ChannelRevision | undefined {
  const update = message && toUpdate({ ...rest, message } as Update, username);
  return update && { ...update, of: update.platformId, platformId: String(message?.edit_date) };
}

/** Undefined for updates without a human sender (joins, pins, other bots), and for commands to another bot. */
export function toUpdate({ message }: Update, username: string): ChannelUpdate | undefined {
  const { from, chat } = message ?? {};
  if (message === undefined || from === undefined || chat === undefined || from.is_bot) return undefined;
  const text = message.text ?? message.caption ?? "";
  const isGroup = chat.type !== "private";
  const hasFile = message.photo ?? message.document ?? message.voice ?? message.audio ?? message.video;
  if (text.trim() === "" && hasFile === undefined) return undefined;
  const addressee = /^\/\w+@(\w+)/.exec(text)?.[1]?.toLowerCase();
  if (addressee !== undefined && addressee !== username.toLowerCase()) return undefined;
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  return {
    platformId: String(message.message_id),
    chat: toChat(chat, topic),
    sender: toSender(from),
    text: withQuote(message, withoutMention(text, username)),
    isAddressed: !isGroup || isMentioned(message, text, username),
  };
}

function isMentioned(message: Message, text: string, username: string): boolean {
  const answered = message.reply_to_message?.from?.username;
  return text.toLowerCase().includes(`@${username.toLowerCase()}`) || answered === username;
}

function withoutMention(text: string, username: string): string {
  const mention = new RegExp(`@${username.replaceAll(/\W/g, "")}\\b`, "gi");
  return text.replaceAll(mention, "").trim();
}

/** A quoted message is part of the reply to it; a command has no quote. */
function withQuote({ reply_to_message: quoted }: Message, text: string): string {
  const words = quoted?.text ?? quoted?.caption;
  if (words === undefined || quoted?.from?.is_bot === true || text.startsWith("/")) return text;
  return `[In reply to: ${words.replaceAll("\n", " ").slice(0, 300)}]\n${text}`;
}

/** The file that came with a message. */
export interface TelegramFile {
  id: string;
  /** "" when Telegram gives it none. */
  name: string;
}

export function findFile({ message }: Update): TelegramFile | undefined {
  const { photo, document, voice, audio, video } = message ?? {};
  const largest = photo?.at(-1);
  if (largest !== undefined) return { id: largest.file_id, name: `${largest.file_unique_id}.jpg` };
  if (voice !== undefined) return { id: voice.file_id, name: `${voice.file_unique_id}.ogg` };
  const file = document ?? audio ?? video;
  return file === undefined ? undefined : { id: file.file_id, name: file.file_name ?? "" };
}

export async function downloadFile(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok || response.body === null)
    throw new Error(`the file could not be had (${response.status})`);
  return response.body;
}
