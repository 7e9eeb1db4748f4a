// From Slack's events to ours: who said what, where, whether it was said to the bot, and which button was pressed.
import * as z from "zod";
import type { ChannelPress, ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";
import type { PlatformFile } from "../platform-api.ts";

const fileSchema = z.object({
  name: z.string().default("file"),
  url_private_download: z.string().optional(),
});

const eventSchema = z.object({
  type: z.enum(["message", "app_mention"]),
  /** Joins, edits and the like; a file is said, too. */
  subtype: z.string().optional(),
  channel: z.string(),
  /** im: in private; mpim, group, channel: among others. */
  channel_type: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().default(""),
  ts: z.string(),
  thread_ts: z.string().optional(),
  files: z.array(fileSchema).default([]),
});

const changeSchema = z.object({
  type: z.literal("message"),
  channel: z.string(),
  channel_type: z.string().optional(),
  /** Of the change. */
  ts: z.string(),
  /** As it is now. */
  message: z.looseObject({ edited: z.object({ ts: z.string() }) }).optional(),
  deleted_ts: z.string().optional(),
});

const actionsSchema = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string(), username: z.string().optional() }),
  channel: z.object({ id: z.string(), name: z.string().optional() }),
  container: z.object({ thread_ts: z.string().optional() }).default({}),
  actions: z.array(z.object({ value: z.string(), action_ts: z.string() })).min(1),
});

const commandSchema = z.object({
  command: z.string(),
  text: z.string().default(""),
  channel_id: z.string(),
  channel_name: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().optional(),
  trigger_id: z.string(),
});

const threadMark = "thread:";

/** Of a thread that an update named. */
export function toThreadTs(thread: string | undefined): string | undefined {
  return thread?.startsWith(threadMark) ? thread.slice(threadMark.length) : undefined;
}

export interface SlackMessage {
  update: ChannelUpdate;
  files: PlatformFile[];
}

export interface ReadOptions {
  /** The bot's own id, as a mention names it. */
  botId: string;
  /** In a channel, an answer opens a thread below what it answers. */
  opensThreads: boolean;
  /** Threads in which the bot has spoken: what is said there is for it. */
  isOurThread(key: string): boolean;
}

/** Undefined for what no person said. */
export function readMessage(data: unknown, options: ReadOptions): SlackMessage | undefined {
  const { data: event } = eventSchema.safeParse(data);
  if (event?.user === undefined || event.bot_id !== undefined || event.user === options.botId)
    return undefined;
  if (event.subtype !== undefined && event.subtype !== "file_share" && event.subtype !== "thread_broadcast")
    return undefined;
  const { channel, ts, thread_ts: thread } = event;
  const isPrivate = isPrivateChat(channel, event.channel_type);
  const isMentioned = event.type === "app_mention" || event.text.includes(`<@${options.botId}>`);
  const isOurs = thread !== undefined && options.isOurThread(toThreadKey(channel, thread));
  const files = event.files.flatMap(({ name, url_private_download: url }) => (url ? [{ name, url }] : []));
  const text = toText(event.text, options.botId);
  if (text === "" && files.length === 0) return undefined;
  return {
    files,
    update: {
      platformId: ts,
      chat: toChat(channel, isPrivate, thread ?? (isPrivate || !options.opensThreads ? undefined : ts)),
      sender: { id: event.user },
      text,
      isAddressed: isPrivate || isMentioned || isOurs,
    },
  };
}

/** A preview that was added to a message is told as a change, too, but is no edit. */
export function readRevision(data: unknown, options: ReadOptions): ChannelRevision | undefined {
  const { data: change } = changeSchema.safeParse(data);
  if (change === undefined) return undefined;
  const { channel, channel_type, ts, message, deleted_ts: deleted } = change;
  if (deleted !== undefined) return { of: deleted, platformId: ts, chat: { id: channel } };
  const update =
    message && readMessage({ ...message, type: "message", channel, channel_type }, options)?.update;
  return update && { ...update, of: update.platformId, platformId: message.edited.ts };
}

export function readPress(payload: unknown): ChannelPress | undefined {
  const { data } = actionsSchema.safeParse(payload);
  const [action] = data?.actions ?? [];
  if (data === undefined || action === undefined) return undefined;
  const { channel, container, user } = data;
  const isPrivate = isPrivateChat(channel.id, undefined);
  return {
    platformId: action.action_ts,
    chat: toChat(channel.id, isPrivate, container.thread_ts),
    sender: { id: user.id, ...(user.username !== undefined && { aliases: [user.username] }) },
    token: action.value,
  };
}

/** `/nanobot new` and `/nanobot-new` are `/new`: Slack has names of its own for what begins with a slash. */
export function readCommand(payload: unknown): ChannelUpdate | undefined {
  const { data } = commandSchema.safeParse(payload);
  if (data === undefined) return undefined;
  const name = /^\/[\w]+-(\w[\w-]*)$/.exec(data.command)?.[1];
  const text = `/${name === undefined ? "" : `${name} `}${data.text}`.trim();
  const isPrivate = isPrivateChat(data.channel_id, undefined);
  return {
    platformId: data.trigger_id,
    chat: toChat(data.channel_id, isPrivate, undefined),
    sender: { id: data.user_id, ...(data.user_name !== undefined && { aliases: [data.user_name] }) },
    text,
    isAddressed: true,
  };
}

export function toThreadKey(channel: string, threadTs: string): string {
  return `${channel}/${threadTs}`;
}

/** Ids of private chats begin with a D. */
function isPrivateChat(channel: string, type: string | undefined): boolean {
  return type === undefined ? channel.startsWith("D") : type === "im";
}

function toChat(id: string, isPrivate: boolean, thread: string | undefined): ChannelUpdate["chat"] {
  return { id, isGroup: !isPrivate, ...(thread !== undefined && { thread: `${threadMark}${thread}` }) };
}

/** Without the mention of the bot; links and the three escaped signs as a person reads them. */
function toText(text: string, botId: string): string {
  return text
    .replaceAll(`<@${botId}>`, "")
    .replaceAll(/<(https?:[^|>]+)\|([^>]*)>/g, "$2 ($1)")
    .replaceAll(/<((?:https?|mailto):[^|>]+)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}
