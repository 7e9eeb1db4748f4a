// What all channels do alike with what was said to them: admit or refuse, give it a session and an origin, keep its
// files, and hand it to the bus. One for each channel; knows no platform.

import type { MessageBus } from "../bus/bus.ts";
import type { ChannelInbox, ChannelPress, ChannelRevision, ChannelUpdate, KeptFile } from "../bus/channel.ts";
import { toSessionKey } from "../bus/session-key.ts";
import type { Format, Origin, OutboundPart } from "../bus/types.ts";
import type { Phrase } from "../i18n/phrase.ts";
import { sayInEnglish } from "../i18n/words.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { withLabels } from "../lib/labels.ts";
import type { Log } from "../lib/log.ts";
import { keepInbound, moveInbound } from "../storage/blobs/message-files.ts";
import type { PairingRequest } from "../storage/people/pairing-store.ts";
import type { Access } from "./access.ts";

export interface ReceptionOptions {
  channel: string;
  format: Format;
  access: Access;
  bus: MessageBus;
  log: Log;
  /** Attachments are in a folder of the channel in it. */
  mediaFolder: string;
  /** Where those of a person or group are kept; the folder above for the owner, whose files stay. */
  mediaOf(origin: Origin): string;
  largestFile: number;
  tellPairing(request: PairingRequest): string;
  /** What was said in a recording, or why nobody can tell. */
  transcribe(path: string, speaker: Speaker): Promise<{ text: string } | { reason: Phrase }>;
  onAlive(): void;
}

/** Who is charged for a transcription. */
export interface Speaker {
  sessionKey: string;
  turnId: string;
  person: string;
}

/** What the assistant answers to a correction that corrects nothing. */
const nothingChanges = "NOTHING_CHANGES";
const recording = /\.(ogg|oga|opus|mp3|m4a|wav|webm|amr|aac|flac)$/i;

export function createReception(options: ReceptionOptions): ChannelInbox {
  const { channel, access, bus, log } = options;
  /** A change must not overtake the message, whose recording may still be listened to. */
  const messages = new KeyedLock();

  async function receive(update: ChannelUpdate): Promise<boolean> {
    options.onAlive();
    const admission = await access.judge(update);
    const { id: chatId } = update.chat;
    if (admission.kind === "ignored") {
      log.info("message-ignored", { channel, sender: update.sender.id, reason: admission.reason });
      return false;
    }
    if (admission.kind === "pairing") {
      const { request } = admission;
      log.info("pairing-asked", { channel, sender: update.sender.id });
      await bus.publishOutbound([
        toNotice(
          channel,
          chatId,
          `pairing:${request.code}:${update.platformId}`,
          options.tellPairing(request),
        ),
      ]);
      return false;
    }
    const { person } = admission;
    const origin = toOrigin(update, admission, options);
    const media = await keepApart([...new Set(update.media)], origin, options);
    const sourceKey = toSourceKey(channel, chatId, update.platformId);
    const sessionKey = toSessionKey(origin);
    const speaker = { sessionKey, turnId: sourceKey, person };
    const spoken = await toSpoken(media, (path) => options.transcribe(path, speaker));
    await bus.publishInbound({
      sourceKey,
      sessionKey,
      origin,
      text: joinText(update.text, spoken),
      ...(spoken !== "" && { spoken }),
      ...(update.chat.isGroup && { speaker: toSpeaker(update.sender) }),
      media: media.filter((path) => !recording.test(path)),
      ...withLabels(update.labels ?? []),
      isBurst: true,
    });
    return true;
  }

  async function choose({ platformId, chat, sender, token }: ChannelPress): Promise<boolean> {
    options.onAlive();
    const speaker = await access.identify(sender);
    if (speaker === undefined) {
      log.info("press-ignored", { channel, sender: sender.id });
      return false;
    }
    const origin = toOrigin({ chat, sender, platformId }, speaker, options);
    const sourceKey = `${channel}:${chat.id}:press:${platformId}`;
    await bus.publishInbound({
      sourceKey,
      sessionKey: toSessionKey(origin),
      origin,
      text: "",
      pressed: token,
    });
    return true;
  }

  return {
    publish: (message) => bus.publishInbound(message),
    receive: (update) =>
      messages.run(toSourceKey(channel, update.chat.id, update.platformId), () => receive(update)),
    revise: (revision) =>
      messages.run(toSourceKey(channel, revision.chat.id, revision.of), () => revise(revision, options)),
    choose,
    keep: (file) => keepFile(file, options),
    reportAlive: options.onAlive,
  };
}

function toSourceKey(channel: string, chatId: string, platformId: string): string {
  return `${channel}:${chatId}:${platformId}`;
}

/** False: it changes nothing here. */
async function revise(
  { platformId, of, chat, sender, text }: ChannelRevision,
  { channel, access, bus, onAlive }: ReceptionOptions,
): Promise<boolean> {
  onAlive();
  const known = bus.findInbound(toSourceKey(channel, chat.id, of));
  if (known === undefined || known.revises !== undefined) return false;
  const { id, sessionKey, origin, speaker, labels, spoken = "", text: before } = known;
  const isDeleted = text === undefined;
  const now = isDeleted ? "" : joinText(text, spoken);
  if (!isDeleted) {
    const who = sender?.id === origin.senderId ? await access.identify(sender) : undefined;
    // With the rights of then, and only while these are those of now.
    const isAuthor = who?.person === origin.person && who.role === origin.role;
    // A preview that was added to it is told as an edit, too.
    if (!isAuthor || text.trim() === "" || now === before) return false;
  }
  await bus.publishInbound({
    sourceKey: `${toSourceKey(channel, chat.id, of)}:revised:${platformId}`,
    sessionKey,
    origin,
    text: now,
    ...(speaker !== undefined && { speaker }),
    ...(labels && { labels }),
    revises: isDeleted ? { id, before: "", isDeleted } : { id, before },
    silence: nothingChanges,
    isBurst: true,
  });
  return true;
}

function toOrigin(
  { chat, sender, platformId }: Pick<ChannelUpdate, "chat" | "sender" | "platformId">,
  { person, role }: Pick<Origin, "person" | "role">,
  { channel, format }: Pick<ReceptionOptions, "channel" | "format">,
): Origin {
  return {
    channel,
    chatId: chat.id,
    ...(chat.thread !== undefined && { thread: chat.thread }),
    senderId: sender.id,
    person,
    role,
    ...(chat.isGroup && { group: `${channel}-${chat.id}` }),
    cause: "user",
    format,
    replyTo: platformId,
  };
}

function toSpeaker({ name, id }: ChannelUpdate["sender"]): string {
  return (name ?? id).replaceAll(/[\n:]/g, " ");
}

/** What was spoken is text like any other; where it cannot be heard, the model is told so and where the recording is. */
async function toSpoken(
  media: string[],
  transcribe: (path: string) => ReturnType<ReceptionOptions["transcribe"]>,
): Promise<string> {
  const spoken = media
    .filter((path) => recording.test(path))
    .map(async (path) => {
      const transcript = await transcribe(path);
      if ("text" in transcript) return `[transcription: ${transcript.text}]`;
      return `[voice message: ${path}, not transcribed: ${sayInEnglish(transcript.reason)}]`;
    });
  return (await Promise.all(spoken)).join("\n");
}

function joinText(...parts: string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n");
}

/** Whose file it is was not known when it was kept. */
async function keepApart(media: string[], origin: Origin, options: ReceptionOptions): Promise<string[]> {
  const folder = options.mediaOf(origin);
  if (folder === options.mediaFolder || media.length === 0) return media;
  return moveInbound(media, folder, options);
}

function toNotice(channel: string, chatId: string, id: string, text: string): OutboundPart {
  return {
    id,
    channel,
    chatId,
    sessionKey: toSessionKey({ channel, chatId }),
    turnId: id,
    text,
    media: [],
    kind: "notice",
    wasStreamed: false,
  };
}

async function keepFile(file: KeptFile, options: ReceptionOptions): Promise<string | undefined> {
  const { channel, largestFile, log } = options;
  const path = await keepInbound(file, options, largestFile);
  if (path === undefined) log.warn("attachment-too-large", { channel, name: file.name.slice(-80) });
  return path;
}
