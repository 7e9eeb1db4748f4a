// From Matrix' events to ours: who said what, where, and whether it was said to us; and from a part to what a room shows.
import * as z from "zod";
import type { ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { withoutName } from "../mention.ts";

const relationSchema = z.object({
  rel_type: z.string().optional(),
  event_id: z.string().optional(),
  "m.in_reply_to": z.object({ event_id: z.string() }).optional(),
});

const messageSchema = z.object({
  type: z.literal("m.room.message"),
  event_id: z.string(),
  sender: z.string(),
  content: z.object({
    msgtype: z.string(),
    body: z.string().default(""),
    url: z.string().optional(),
    filename: z.string().optional(),
    "m.mentions": z.object({ user_ids: z.array(z.string()).default([]) }).optional(),
    "m.relates_to": relationSchema.optional(),
    "m.new_content": z.unknown().optional(),
  }),
});

const redactionSchema = z.object({
  type: z.literal("m.room.redaction"),
  event_id: z.string(),
  redacts: z.string().optional(),
  content: z.object({ redacts: z.string().optional() }).default({}),
});

const said = ["m.text", "m.emote"];
const files = ["m.image", "m.file", "m.audio", "m.video"];
const threadMark = "thread:";

export interface MatrixMessage {
  update: ChannelUpdate;
  file?: { name: string; server: string; id: string };
}

export interface ReadOptions {
  roomId: string;
  ownId: string;
  isGroup: boolean;
  /** Whether we have sent the event that is answered. */
  isOurs(eventId: string): boolean;
}

/** Undefined for what no person said. */
export function readMessage(data: unknown, options: ReadOptions): MatrixMessage | undefined {
  const { data: event } = messageSchema.safeParse(data);
  const { roomId, ownId, isGroup, isOurs } = options;
  if (event === undefined || event.sender === ownId) return undefined;
  const { msgtype, body, url = "", filename = body, "m.relates_to": relation } = event.content;
  // Corrections of what was said before.
  if (relation?.rel_type === "m.replace") return undefined;
  const [, server, id] = /^mxc:\/\/([^/]+)\/([\w-]+)$/.exec(url) ?? [];
  const isFile = files.includes(msgtype) && server !== undefined && id !== undefined;
  if (!isFile && !said.includes(msgtype)) return undefined;
  const thread = relation?.rel_type === "m.thread" ? relation.event_id : undefined;
  const answered = relation?.["m.in_reply_to"]?.event_id;
  const isMentioned = event.content["m.mentions"]?.user_ids.includes(ownId) ?? body.includes(ownId);
  return {
    ...(isFile && { file: { name: filename, server, id } }),
    update: {
      platformId: event.event_id,
      chat: { id: roomId, isGroup, ...(thread !== undefined && { thread: `${threadMark}${thread}` }) },
      sender: { id: event.sender, name: /^@([^:]+)/.exec(event.sender)?.[1] ?? event.sender },
      // Of a file the words are its caption, or only its name.
      text: isFile && body === filename ? "" : withoutMention(withoutQuote(body), ownId),
      isAddressed: !isGroup || isMentioned || (answered !== undefined && isOurs(answered)),
    },
  };
}

/** An event that replaces another one, or takes it away: `redacts` is in its content in newer rooms. */
export function readRevision(data: unknown, options: ReadOptions): ChannelRevision | undefined {
  const chat = { id: options.roomId };
  const { data: redaction } = redactionSchema.safeParse(data);
  const of = redaction?.redacts ?? redaction?.content.redacts;
  if (redaction !== undefined && of !== undefined) return { of, platformId: redaction.event_id, chat };
  const { data: event } = messageSchema.safeParse(data);
  const { "m.relates_to": relation, "m.new_content": now } = event?.content ?? {};
  const original = relation?.rel_type === "m.replace" ? relation.event_id : undefined;
  const update = readMessage({ ...event, content: now }, options)?.update;
  return update && original ? { ...update, of: original } : undefined;
}

/** What older programs repeat of the message that they answer. */
function withoutQuote(body: string): string {
  return body.replace(/^(?:> .*\n)+\n/, "");
}

/** A mention is the id, or the name in it, at the beginning. */
function withoutMention(body: string, ownId: string): string {
  const name = /^@([^:]+)/.exec(ownId)?.[1] ?? ownId;
  return withoutName(body, [ownId, name]).trim();
}

/** Of a thread that an update named. */
function toThread(thread: string | undefined): string | undefined {
  return thread?.startsWith(threadMark) ? thread.slice(threadMark.length) : undefined;
}

/** A message of words; with a draft, the event that replaces it. */
export function toContent({ text, thread, draft }: OutboundPart): object {
  const shown = {
    msgtype: "m.text",
    body: toPlainBody(text),
    format: "org.matrix.custom.html",
    formatted_body: withBreaks(text),
    // Nobody is called by what a model wrote.
    "m.mentions": {},
  };
  if (draft === undefined) return { ...shown, ...toRelation(thread) };
  return {
    ...shown,
    "m.new_content": shown,
    "m.relates_to": { rel_type: "m.replace", event_id: draft },
  };
}

export function toRelation(thread: string | undefined): object {
  const root = toThread(thread);
  if (root === undefined) return {};
  const fallback = { is_falling_back: true, "m.in_reply_to": { event_id: root } };
  return { "m.relates_to": { rel_type: "m.thread", event_id: root, ...fallback } };
}

/** Lines end by a tag, except in code, which shows its own. */
function withBreaks(html: string): string {
  return html
    .split(/(<pre>.*?<\/pre>)/s)
    .map((piece) => (piece.startsWith("<pre>") ? piece : piece.replaceAll("\n", "<br>")))
    .join("");
}

function toPlainBody(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
