// Operations on whole conversations: title and place in the list, delete, go back to a message, branch, export.
import * as z from "zod";
import { toBrowserKey } from "../../bus/session-key.ts";
import { fail } from "../../i18n/user-error.ts";
import { speakTo } from "../../i18n/words.ts";
import { toPlainLine } from "../../lib/text.ts";
import { fromScope, scopeOf } from "../../storage/scope.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";
import type { Session } from "../../storage/sessions/session.ts";
import { operation } from "../operation.ts";
import type { ChatServices } from "./chat-services.ts";
import { toExportName, toMarkdown, toPage } from "./export-chat.ts";
import { missing, toAudience } from "./session-access.ts";
import type { Note, ShownNotes } from "./shown-log.ts";
import { toCopyTitle } from "./titles.ts";
import type { SessionCard } from "./wire.ts";

const sessionKey = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestTitle = 200;
const longestFolder = 60;

const label = operation({
  name: "chat.label",
  about:
    "Names, pins or archives a conversation, or puts it into a folder. What is absent stays; an empty title is the first words again, an empty folder is none.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({
    sessionKey,
    title: z.string().max(longestTitle).optional(),
    folder: z.string().max(longestFolder).optional(),
    isPinned: z.boolean().optional(),
    isArchived: z.boolean().optional(),
  }),
  async run({ chat }, { sessionKey: key, title, folder, ...given }, caller): Promise<SessionCard> {
    const { isPinned, isArchived } = given;
    const { session, scope } = await chat.access.openForWriting(key, caller);
    if (session.count === 0) throw fail("chat.nothing-said");
    const name = title?.trim();
    await session.updateMetadata({
      ...(name !== undefined && { title: name || undefined, title_user_edited: name !== "" || undefined }),
      ...(folder !== undefined && { folder: toPlainLine(folder, longestFolder) || undefined }),
      ...(isPinned !== undefined && { pinned: isPinned || undefined }),
      ...(isArchived !== undefined && { archived: isArchived || undefined }),
    });
    return chat.tellCard(key, scope);
  },
});

const makeTitle = operation({
  name: "chat.title",
  about: "A title for a conversation, given by its model from what was said first.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey }),
  async run({ chat }, { sessionKey: key }, caller): Promise<SessionCard> {
    await chat.access.openForWriting(key, caller);
    const card = await chat.makeTitle(key, { signal: caller.signal });
    if (card === undefined) throw fail("chat.no-title");
    return card;
  },
});

const markSeen = operation({
  name: "chat.seen",
  about: "Everything that was said in a conversation so far was seen: it is no longer marked as unread.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey }),
  async run({ chat }, { sessionKey: key }, caller): Promise<{ seenAt: number }> {
    const { session, scope, isReadOnly } = await chat.access.open(key, caller);
    const { updatedAt, seenAt = 0 } = await chat.cards.of(key, scope);
    if (isReadOnly || session.count === 0 || seenAt >= updatedAt) return { seenAt };
    await session.updateMetadata({ seenAt: updatedAt });
    await chat.tellCard(key, scope);
    return { seenAt: updatedAt };
  },
});

const remove = operation({
  name: "chat.remove",
  about: "Removes a conversation; `chat.recover` brings it back for a while.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey }),
  run: ({ chat }, { sessionKey: key }, caller): Promise<{ undo: string }> =>
    chat.whenWhole(key, async () => {
      const { scope } = await chat.access.open(key, caller);
      refuseBusy(chat, key);
      const undo = await chat.sessions.remove(key, scope);
      await chat.shown.clear(key);
      chat.publish({ type: "session-removed", sessionKey: key }, toAudience(scope));
      return { undo: undo ?? "" };
    }),
});

const recover = operation({
  name: "chat.recover",
  about: "Brings back a conversation that was removed.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ undo: id }),
  async run({ chat }, { undo }, caller): Promise<SessionCard> {
    const scope = caller.role === "owner" ? await chat.sessions.scopeOfRemoved(undo) : scopeOf(caller);
    if (scope === undefined) throw missing();
    return chat.tellCard(await chat.sessions.restore(undo, scope), scope);
  },
});

const branch = operation({
  name: "chat.branch",
  about:
    "A new conversation that begins with everything before that user's message, or all; the old one stays as it is.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey, before: id.optional() }),
  async run({ chat, ids }, params, caller): Promise<{ sessionKey: string; text: string }> {
    const { scope } = await chat.access.open(params.sessionKey, caller);
    if (caller.role === "owner" && fromScope(scope).role === "guest") throw fail("chat.read-only");
    const key = toBrowserKey(ids.next(), caller);
    const text = await chat.sessions.branch(params.sessionKey, scope, { to: key, before: params.before });
    const { title } = await chat.cards.of(params.sessionKey, scope);
    const others = new Set((await chat.cards.list(caller)).map((card) => card.title));
    if (title !== "")
      await (await chat.sessions.open(key, scope)).updateMetadata({ title: toCopyTitle(title, others) });
    await chat.tellCard(key, scope);
    return { sessionKey: key, text };
  },
});

const rewind = operation({
  name: "chat.rewind",
  about: "Takes back everything from that user's message on, for edit and retry; a copy is kept.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey, entryId: id }),
  run: ({ chat }, { sessionKey: key, entryId }, caller): Promise<{ text: string }> =>
    chat.whenWhole(key, async () => {
      const { scope, session } = await chat.access.openForWriting(key, caller);
      refuseBusy(chat, key);
      const first = await readMessage(session, entryId);
      const { text, version } = await chat.sessions.rewind(key, scope, entryId);
      if (first !== undefined && version !== undefined)
        await moveShown(chat.shown, { from: key, to: version, since: first });
      chat.live.rewrite(key);
      await chat.tellCard(key, scope);
      return { text };
    }),
});

const switchVersion = operation({
  name: "chat.switch",
  about:
    "Shows another version of what that user's message began, as `versions` of `chat.open` lists them; the present one becomes a version.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ sessionKey, entryId: id, version: sessionKey }),
  run: ({ chat }, { sessionKey: key, entryId, version }, caller): Promise<SessionCard> =>
    chat.whenWhole(key, async () => {
      const { scope, session } = await chat.access.openForWriting(key, caller);
      refuseBusy(chat, key);
      const first = await readMessage(session, entryId);
      const closed = await chat.sessions.switchVersion(key, scope, { entryId, version });
      if (first !== undefined) await moveShown(chat.shown, { from: key, to: closed, since: first });
      await moveShown(chat.shown, { from: version, to: key });
      chat.live.rewrite(key);
      return chat.tellCard(key, scope);
    }),
});

const exportChat = operation({
  name: "chat.export",
  about:
    "A conversation as one document, with a name for its file. `html` is a page without scripts or addresses to load, with what was said and not what tools found.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey, format: z.enum(["markdown", "html", "json"]) }),
  async run({ chat, clock }, { sessionKey: key, format }, caller): Promise<{ name: string; text: string }> {
    const { messages, entries } = await chat.conversations.readAll(key, caller);
    const { title } = await chat.cards.of(key, await chat.access.scopeFor(key, caller));
    const words = speakTo(caller, chat.words);
    const name = toExportName(title, clock.now(), format === "markdown" ? "md" : format);
    if (format === "json") return { name, text: JSON.stringify({ key, title, entries }, null, 2) };
    if (format === "html") return { name, text: toPage(title, messages, words) };
    return { name, text: toMarkdown(title, messages, words).text };
  },
});

export const sessionOperations = [
  label,
  makeTitle,
  markSeen,
  remove,
  recover,
  branch,
  rewind,
  switchVersion,
  exportChat,
] as const;

async function readMessage(session: Session, entryId: string): Promise<StoredMessage | undefined> {
  const position = await session.locate(entryId);
  return position < 0 ? undefined : (await session.read(position, position + 1))[0];
}

interface Move {
  from: string;
  to: string;
  /** Only notes shown with this message and after it. */
  since?: Pick<StoredMessage, "id" | "at">;
}

/** Notes that were shown with messages are removed with them. */
async function moveShown(shown: ShownNotes, { from, to, since }: Move): Promise<void> {
  const notes: Note[] = Object.values(await shown.read(from)).flat();
  const sorted = notes.sort((a, b) => a.at - b.at);
  const isMoved = (note: Note) => since === undefined || note.turnId === since.id || note.at >= since.at;
  const moved = sorted.filter(isMoved);
  if (moved.length === 0) return;
  await shown.append(to, moved);
  await shown.clear(from);
  await shown.append(
    from,
    sorted.filter((note) => !isMoved(note)),
  );
}

function refuseBusy({ live }: ChatServices, key: string): void {
  if (live.isRunning(key)) throw fail("chat.busy");
}
