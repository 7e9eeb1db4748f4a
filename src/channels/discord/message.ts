// From Discord's events to ours: who said what, where, whether it was said to the bot, and which button was pressed.
import * as z from "zod";
import type { ChannelPress, ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";
import type { PlatformFile } from "../platform-api.ts";

const userSchema = z.object({
  id: z.string(),
  username: z.string().default(""),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});

const messageSchema = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  author: userSchema,
  content: z.string().default(""),
  edited_timestamp: z.string().nullish(),
  /** 0: said, 19: a reply, 20: a slash command. Others are joins, pins and the like. */
  type: z.int().default(0),
  mentions: z.array(z.object({ id: z.string() })).default([]),
  attachments: z.array(z.object({ url: z.string(), filename: z.string().default("file") })).default([]),
  referenced_message: z
    .object({ content: z.string().default(""), author: z.object({ id: z.string() }) })
    .nullish(),
});

const interactionSchema = z.object({
  id: z.string(),
  token: z.string(),
  /** 2: a slash command; 3: a button. */
  type: z.int(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  member: z.object({ user: userSchema }).optional(),
  user: userSchema.optional(),
  data: z.object({
    name: z.string().optional(),
    custom_id: z.string().optional(),
    options: z.array(z.object({ value: z.unknown() })).optional(),
  }),
});

const saidTypes = [0, 19];
const longestQuote = 300;

export interface DiscordMessage {
  update: ChannelUpdate;
  files: PlatformFile[];
}

/** What a button or a slash command needs in addition: the platform wants an answer within three seconds. */
export type Interaction = { id: string; token: string } & (
  | { kind: "press"; press: ChannelPress }
  | { kind: "command"; update: ChannelUpdate }
);

/** Undefined for what no person said. */
export function readMessage(data: unknown, botId: string): DiscordMessage | undefined {
  const { data: message } = messageSchema.safeParse(data);
  if (message === undefined || message.author.bot === true || !saidTypes.includes(message.type))
    return undefined;
  const files = message.attachments.map(({ url, filename }) => ({ url, name: filename }));
  const text = withoutMention(message.content, botId);
  if (text === "" && files.length === 0) return undefined;
  const { referenced_message: answered } = message;
  const isAnswer = answered?.author.id === botId;
  const isMentioned = message.mentions.some(({ id }) => id === botId);
  const quote = answered && !isAnswer && !text.startsWith("/") ? toQuote(answered.content) : "";
  return {
    files,
    update: {
      platformId: message.id,
      chat: toChat(message),
      sender: toSender(message.author),
      text: quote + text,
      isAddressed: message.guild_id === undefined || isMentioned || isAnswer,
    },
  };
}

export function readInteraction(data: unknown): Interaction | undefined {
  const { data: interaction } = interactionSchema.safeParse(data);
  const user = interaction?.member?.user ?? interaction?.user;
  if (interaction === undefined || user === undefined) return undefined;
  const { id, token, type, data: given } = interaction;
  const about = { platformId: id, chat: toChat(interaction), sender: toSender(user) };
  if (type === 3 && given.custom_id !== undefined)
    return { id, token, kind: "press", press: { ...about, token: given.custom_id } };
  if (type !== 2 || given.name === undefined) return undefined;
  const words = (given.options ?? []).map(({ value }) => String(value));
  const text = [`/${given.name}`, ...words].join(" ");
  return { id, token, kind: "command", update: { ...about, text, isAddressed: true } };
}

const deletedSchema = z.object({
  id: z.string().optional(),
  ids: z.array(z.string()).default([]),
  channel_id: z.string(),
});

/** Messages that were edited or deleted. A preview that was added is no edit. */
export function readRevisions(name: string, data: unknown, botId: string): ChannelRevision[] {
  if (name === "MESSAGE_UPDATE") {
    const { edited_timestamp: time } = messageSchema.safeParse(data).data ?? {};
    const update = time ? readMessage(data, botId)?.update : undefined;
    return update && time ? [{ ...update, of: update.platformId, platformId: time }] : [];
  }
  if (name !== "MESSAGE_DELETE" && name !== "MESSAGE_DELETE_BULK") return [];
  const { id, ids = [], channel_id: chatId = "" } = deletedSchema.safeParse(data).data ?? {};
  const gone = id === undefined ? ids : [id];
  return gone.map((of) => ({ of, platformId: "deleted", chat: { id: chatId } }));
}

/** A thread of Discord is a channel of its own. */
function toChat({ channel_id: id, guild_id: guild }: { channel_id: string; guild_id?: string | undefined }) {
  return { id, isGroup: guild !== undefined };
}

function toSender({ id, username, global_name: name }: z.infer<typeof userSchema>): ChannelUpdate["sender"] {
  return { id, name: name ?? username, ...(username !== "" && { aliases: [username] }) };
}

function withoutMention(text: string, botId: string): string {
  return text.replaceAll(`<@${botId}>`, "").replaceAll(`<@!${botId}>`, "").trim();
}

function toQuote(words: string): string {
  const quote = words.replaceAll("\n", " ").slice(0, longestQuote);
  return quote.trim() === "" ? "" : `[In reply to: ${quote}]\n`;
}
