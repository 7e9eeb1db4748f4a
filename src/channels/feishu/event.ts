// From Feishu's event to an update: who said what, where, whether it was for the bot, and which files came with it.
import * as z from "zod";
import type { ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { toPlainLine } from "../../lib/text.ts";

export interface FeishuFile {
  key: string;
  type: "image" | "file";
  name: string;
}

export interface FeishuMessage {
  update: ChannelUpdate;
  files: FeishuFile[];
}

export interface ReadOptions {
  /** The bot itself. */
  openId: string;
  /** Messages of a thread are a session of their own. */
  topicIsolation: boolean;
  /** A message that the bot sent. */
  isOurs(messageId: string): boolean;
}

const id = z.string().max(200);
const userSchema = z.object({
  open_id: id,
  union_id: id.nullish(),
  user_id: id.nullish(),
});
const eventSchema = z.object({
  header: z.object({ event_type: z.literal("im.message.receive_v1") }),
  event: z.object({
    sender: z.object({ sender_id: userSchema, sender_type: z.string() }),
    message: z.object({
      message_id: id.min(1),
      root_id: id.nullish(),
      parent_id: id.nullish(),
      thread_id: id.nullish(),
      chat_id: id.min(1),
      chat_type: z.string(),
      message_type: z.string(),
      content: z.string(),
      mentions: z
        .array(
          z.object({ key: z.string(), id: z.object({ open_id: id.nullish() }), name: z.string().nullish() }),
        )
        .nullish(),
    }),
  }),
});

type Message = z.infer<typeof eventSchema>["event"]["message"];

const topicMark = "topic:";

/** The first message of a thread that `readMessage` named. */
export function toRoot(thread: string | undefined): string | undefined {
  return thread?.startsWith(topicMark) ? thread.slice(topicMark.length) : undefined;
}

/** Undefined for other events, other bots, and broken ones. */
export function readMessage(json: string, options: ReadOptions): FeishuMessage | undefined {
  const { data } = eventSchema.safeParse(parseJson(json));
  if (data === undefined || data.event.sender.sender_type !== "user") return undefined;
  const { sender, message } = data.event;
  const { text, files } = readContent(message);
  if (text.trim() === "" && files.length === 0) return undefined;
  const { open_id: openId, union_id: unionId, user_id: userId } = sender.sender_id;
  const aliases = [unionId, userId].filter((alias) => typeof alias === "string" && alias !== "");
  const isGroup = message.chat_type !== "p2p";
  const isThread = options.topicIsolation && Boolean(message.thread_id);
  return {
    files,
    update: {
      platformId: message.message_id,
      chat: {
        id: message.chat_id,
        isGroup,
        // By its first message, which is also what an answer is sent to.
        ...(isThread && { thread: `${topicMark}${message.root_id || message.message_id}` }),
      },
      sender: { id: openId, aliases: aliases as string[] },
      text: withNames(text, message, options.openId),
      isAddressed: !isGroup || isForBot(message, text, options),
    },
  };
}

const recalledSchema = z.object({
  header: z.object({ event_type: z.literal("im.message.recalled_v1") }),
  event: z.object({ message_id: id, chat_id: id }),
});

/** A message that was taken back. Edits are not told to bots. */
export function readRecalled(json: string): ChannelRevision | undefined {
  const { message_id: of, chat_id: chatId } = recalledSchema.safeParse(parseJson(json)).data?.event ?? {};
  return of && chatId ? { of, platformId: "deleted", chat: { id: chatId } } : undefined;
}

function isForBot({ mentions, parent_id: parent }: Message, text: string, options: ReadOptions): boolean {
  const isNamed = mentions?.some((mention) => mention.id.open_id === options.openId) === true;
  return isNamed || /@_all\b/.test(text) || (Boolean(parent) && options.isOurs(parent ?? ""));
}

/** Feishu puts a placeholder where a person was mentioned. The bot's is left out. */
function withNames(text: string, { mentions }: Message, openId: string): string {
  const names = new Map(
    mentions?.map(({ key, id: who, name }) => [
      key,
      who.open_id === openId ? "" : `@${toPlainLine(name ?? "someone", 80)}`,
    ]),
  );
  const named = text.replaceAll(/@_(?:user_\d+|all)\b/g, (sign) =>
    sign === "@_all" ? "@all" : (names.get(sign) ?? sign),
  );
  return named.replaceAll(/[ \t]{2,}/g, " ").trim();
}

const contentSchema = z.looseObject({
  text: z.string().optional(),
  image_key: z.string().optional(),
  file_key: z.string().optional(),
  file_name: z.string().optional(),
});

function readContent({ message_type: type, content }: Message): { text: string; files: FeishuFile[] } {
  const parsed = parseJson(content);
  const { data } = contentSchema.safeParse(parsed);
  if (data === undefined) return { text: "", files: [] };
  const { text = "", image_key: image, file_key: key, file_name: name = "" } = data;
  if (type === "text") return { text, files: [] };
  if (type === "post") return readPost(parsed);
  if (type === "image" && image) return { text: "", files: [toImage(image)] };
  if (type === "audio" && key) return { text: "", files: [{ key, type: "file", name: `${key}.opus` }] };
  if ((type === "file" || type === "media") && key) return { text: "", files: [{ key, type: "file", name }] };
  return { text: "", files: [] };
}

const elementSchema = z.looseObject({
  tag: z.string(),
  text: z.string().default(""),
  href: z.string().optional(),
  user_id: z.string().optional(),
  image_key: z.string().optional(),
  file_key: z.string().optional(),
  language: z.string().default(""),
});
const postSchema = z.object({
  title: z.string().default(""),
  content: z.array(z.array(elementSchema.nullable().catch(null)).catch([])),
});

/** A text with forms; its lines are lists of elements. Some come under the name of a language. */
function readPost(parsed: unknown): { text: string; files: FeishuFile[] } {
  const candidates = [parsed, ...Object.values(Object(parsed))];
  const post = candidates.map((each) => postSchema.safeParse(each).data).find((each) => each !== undefined);
  const files: FeishuFile[] = [];
  const lines = (post?.content ?? []).map((line) =>
    line
      .map((element) => {
        if (element === null) return "";
        const { tag, text, href, user_id: user, image_key: image, file_key: key, language } = element;
        if (tag === "img" && image) files.push(toImage(image));
        if (tag === "media" && key) files.push({ key, type: "file", name: `${key}.mp4` });
        if (tag === "at") return user ?? "";
        if (tag === "code_block") return `\`\`\`${language}\n${text}\n\`\`\``;
        return tag === "a" && href !== undefined ? `[${text}](${href})` : text;
      })
      .join(""),
  );
  const text = [post?.title ?? "", ...lines].join("\n").trim();
  return { text, files };
}

function toImage(key: string): FeishuFile {
  return { key, type: "image", name: `${key}.jpg` };
}
