// From what WhatsApp sends to ours: who said what, with which file, and which button was pressed.
import * as z from "zod";
import type { ChannelPress, ChannelRevision, ChannelUpdate } from "../../bus/channel.ts";

const fileSchema = z.object({
  id: z.string(),
  caption: z.string().optional(),
  filename: z.string().optional(),
  mime_type: z.string().default(""),
});
const choiceSchema = z.object({ id: z.string() });
const originalSchema = z.object({ original_message_id: z.string() });
const messageSchema = z.object({
  id: z.string(),
  from: z.string(),
  /** In seconds. */
  timestamp: z.coerce.number(),
  type: z.string(),
  text: z.object({ body: z.string() }).optional(),
  image: fileSchema.optional(),
  document: fileSchema.optional(),
  audio: fileSchema.optional(),
  video: fileSchema.optional(),
  interactive: z
    .object({ button_reply: choiceSchema.optional(), list_reply: choiceSchema.optional() })
    .optional(),
  revoke: originalSchema.optional(),
  edit: originalSchema.extend({ message: z.unknown() }).optional(),
});
const changeSchema = z.object({
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    contacts: z
      .array(z.object({ wa_id: z.string(), profile: z.object({ name: z.string().optional() }).optional() }))
      .default([]),
    messages: z.array(z.unknown()).default([]),
  }),
});
const bodySchema = z.object({ entry: z.array(z.object({ changes: z.array(z.unknown()) })) });

const endings: Array<[RegExp, string]> = [
  [/jpeg/, "jpg"],
  [/png/, "png"],
  [/webp/, "webp"],
  [/ogg/, "ogg"],
  [/mpeg/, "mp3"],
  [/mp4/, "mp4"],
];

export interface WhatsappMessage {
  sentAt: number;
  update: ChannelUpdate;
  press?: ChannelPress;
  revision?: ChannelRevision;
  file?: { id: string; name: string };
}

/** Of one number only: an app may serve several. What is broken, or said by no person, is passed over. */
export function readMessages(body: unknown, phoneNumberId: string): WhatsappMessage[] {
  const changes = bodySchema.safeParse(body).data?.entry.flatMap((entry) => entry.changes) ?? [];
  return changes.flatMap((change) => {
    const { data } = changeSchema.safeParse(change);
    if (data?.value.metadata.phone_number_id !== phoneNumberId) return [];
    const names = new Map(data.value.contacts.map(({ wa_id: id, profile }) => [id, profile?.name]));
    return data.value.messages.flatMap((message) => readMessage(message, names) ?? []);
  });
}

function readMessage(data: unknown, names: Map<string, string | undefined>): WhatsappMessage | undefined {
  const { data: message } = messageSchema.safeParse(data);
  if (message === undefined) return undefined;
  const { id, from, timestamp, text, image, document, audio, video, interactive, revoke, edit } = message;
  const file = image ?? document ?? audio ?? video;
  const token = interactive?.button_reply?.id ?? interactive?.list_reply?.id;
  const name = names.get(from);
  const sender = { id: from, ...(name && { name }), aliases: [`+${from}`] };
  const about = { platformId: id, chat: { id: from, isGroup: false }, sender };
  const edited = edit && readMessage({ ...Object(edit.message), id, from, timestamp }, names)?.update;
  const of = (revoke ?? edit)?.original_message_id;
  return {
    sentAt: timestamp * 1000,
    ...(of !== undefined && { revision: { ...(edited ?? { platformId: id, chat: about.chat }), of } }),
    update: { ...about, text: (text?.body ?? file?.caption ?? "").trim(), isAddressed: true },
    ...(token !== undefined && { press: { ...about, token } }),
    ...(file && { file: { id: file.id, name: file.filename ?? toName(file.mime_type) } }),
  };
}

function toName(type: string): string {
  return `file.${endings.find(([pattern]) => pattern.test(type))?.[1] ?? "bin"}`;
}
