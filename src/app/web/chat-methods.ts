// What the pages of conversations ask: the list, one of them, speaking in it, finding in all of them.
import * as z from "zod";
import { scopeOf } from "../../bus/scope.ts";
import { describeSkill } from "../../i18n/describe-skill.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import type { Recall } from "../../recall/recall.ts";
import type { RecalledEntry } from "../../recall/recall-search.ts";
import { type Caller, type MethodTable, WishError } from "../../server/methods.ts";
import type { ChatMethods, FoundEntry } from "../../server/protocol/chat.ts";
import type { SocketChannel, SocketChannelName } from "../../server/socket-channel.ts";
import type { App } from "../build-app.ts";
import type { Conversations } from "./conversations.ts";
import type { PutFiles } from "./put-files.ts";
import { missing, type SessionAccess } from "./session-access.ts";
import type { SessionCards } from "./session-cards.ts";

type SpokenMethods = Omit<
  ChatMethods,
  | "chat.label"
  | "chat.remove"
  | "chat.recover"
  | "chat.branch"
  | "chat.rewind"
  | "chat.export"
  | "file.put"
  | "file.transcribe"
>;

export interface ChatParts {
  app: Pick<App, "loop" | "skills" | "current" | "modelOf" | "canTranscribe">;
  recall: Pick<Recall, "search" | "read">;
  channels: Record<SocketChannelName, SocketChannel>;
  access: SessionAccess;
  cards: SessionCards;
  conversations: Conversations;
  files: PutFiles;
  words: Words;
  /** Waits for whatever rewrites a conversation. */
  whenWhole<T>(sessionKey: string, work: () => Promise<T>): Promise<T>;
}

const key = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestText = 500_000;

export function createChatMethods(parts: ChatParts): MethodTable<SpokenMethods> {
  const { app, recall, cards, conversations } = parts;
  return {
    "chat.list": {
      params: z.strictObject({ archived: z.boolean().optional() }),
      isForGuests: true,
      run: async (wish, { viewer }) => ({ sessions: await cards.list(viewer, wish) }),
    },
    "chat.open": {
      params: z.strictObject({
        sessionKey: key,
        before: id.optional(),
        around: id.optional(),
        limit: z.int().min(1).max(1_000).optional(),
      }),
      isForGuests: true,
      run: (wish, { viewer }) => conversations.open(wish, viewer),
    },
    "chat.entry": {
      params: z.strictObject({ sessionKey: key, entryId: id }),
      isForGuests: true,
      run: async ({ sessionKey, entryId }, { viewer }) => ({
        text: await conversations.readEntry(sessionKey, entryId, viewer),
      }),
    },
    "chat.send": {
      params: z.strictObject({
        sessionKey: key,
        text: z.string().max(longestText),
        files: z.array(id).max(20).optional(),
        channel: z.enum(["web", "cli"]).optional(),
        labels: z.array(id).max(20).optional(),
      }),
      isForGuests: true,
      run: (message, caller) => send(parts, message, caller),
    },
    "chat.stop": {
      params: z.strictObject({ sessionKey: key }),
      isForGuests: true,
      async run({ sessionKey }, { viewer }) {
        await parts.access.openForWriting(sessionKey, viewer);
        return { stopped: await app.loop.stop(sessionKey) };
      },
    },
    "chat.answer": {
      params: z.strictObject({
        sessionKey: key,
        askId: id,
        choice: id,
        text: z.string().max(longestText).optional(),
      }),
      isForGuests: true,
      async run({ sessionKey, ...answer }, { viewer }) {
        if (viewer.role === "guest") await parts.access.openForWriting(sessionKey, viewer);
        return { isTaken: app.loop.questions.settle(sessionKey, answer, viewer) };
      },
    },
    "chat.search": {
      params: z.strictObject({
        query: z.string().max(2_000),
        limit: z.int().min(1).max(100).optional(),
      }),
      isForGuests: true,
      async run({ query, limit = 20 }, { viewer }) {
        const wish = { query, count: limit, scope: scopeOf(viewer), isSaid: true };
        const { hits } = await recall.search(wish);
        return { found: await Promise.all(hits.map((hit) => toFound(parts, hit))) };
      },
    },
    "chat.find": {
      params: z.strictObject({ reference: id }),
      isForGuests: true,
      async run({ reference }, { viewer }) {
        const entries = await recall.read(reference, { scope: scopeOf(viewer), around: 0 });
        const entry = entries.find((each) => each.kind === "session");
        if (entry === undefined) throw missing();
        return toFound(parts, entry);
      },
    },
    "chat.models": { params: z.strictObject({}), run: () => listModels(app) },
    "chat.complete": {
      params: z.strictObject({}),
      isForGuests: true,
      async run(_, caller) {
        const words = speakTo(caller, parts.words);
        const skills = (await app.skills.survey()).list({ withUnavailable: false });
        return {
          commands: Object.entries(words.reply.commands).map(([name, about]) => ({ name, about })),
          skills: skills.map((skill) => ({ name: skill.name, about: describeSkill(skill, words) })),
          canTranscribe: app.canTranscribe(),
        };
      },
    },
  };
}

async function send(
  { access, channels, files, whenWhole }: ChatParts,
  { sessionKey, text, files: fileIds = [], channel = "web", labels }: ChatMethods["chat.send"]["params"],
  { viewer, requestId, language }: Caller,
): Promise<{ turnId: string }> {
  if (text.trim() === "" && fileIds.length === 0) throw new WishError("Write something, or attach a file.");
  const media = await files.find(fileIds, viewer);
  return whenWhole(sessionKey, async () => {
    const { scope } = await access.openForWriting(sessionKey, viewer);
    const group = scope.startsWith("group:") ? { group: scope.slice("group:".length) } : {};
    const receipt = await channels[channel].say({
      sessionKey,
      text,
      media,
      labels,
      viewer,
      requestId,
      language,
      ...group,
    });
    return { turnId: receipt.id };
  });
}

/** The reference of a message is its id with the place in it. */
async function toFound(
  { access, cards }: ChatParts,
  { name, reference, at, text }: RecalledEntry,
): Promise<FoundEntry> {
  const entryId = reference.replace(/@\d+$/, "");
  const sessionKey = await access.locate(name, entryId);
  const { title } = await cards.of(sessionKey);
  return { sessionKey, title, entryId, at, text };
}

async function listModels(
  app: Pick<App, "current" | "modelOf">,
): Promise<ChatMethods["chat.models"]["result"]> {
  const { settings, host } = await app.modelOf({ metadata: {} });
  const { modelPresets } = app.current().config;
  const presets = Object.entries(modelPresets).map(([name, preset]) => ({
    name,
    host: preset.provider ?? "auto",
  }));
  return { models: [{ name: settings.model, host }, ...presets], current: settings.model };
}
