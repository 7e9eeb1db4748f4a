// Operations on whole conversations: title and place in the list, removing, going back, branching, taking out.
import * as z from "zod";
import { toBrowserKey } from "../../bus/session-key.ts";
import { fail } from "../../i18n/user-error.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { stripRuntimeContext } from "../../lib/runtime-block.ts";
import { toPlainLine } from "../../lib/text.ts";
import { fromScope, scopeOf } from "../../storage/scope.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";
import { operation } from "../operation.ts";
import type { ChatServices } from "./chat-services.ts";
import { missing, toAudience } from "./session-access.ts";
import type { Note, ShownNotes } from "./shown-log.ts";
import type { SessionCard } from "./wire.ts";

const sessionKey = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestTitle = 200;

const label = operation({
  name: "chat.label",
  about:
    "Names, pins or archives a conversation. What is absent stays; an empty title is the first words again.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({
    sessionKey,
    title: z.string().max(longestTitle).optional(),
    isPinned: z.boolean().optional(),
    isArchived: z.boolean().optional(),
  }),
  async run({ chat }, { sessionKey: key, title, isPinned, isArchived }, caller): Promise<SessionCard> {
    const { session, scope } = await chat.access.openForWriting(key, caller);
    if (session.count === 0) throw fail("chat.nothing-said");
    const name = title?.trim();
    await session.updateMetadata({
      ...(name !== undefined && { title: name || undefined, title_user_edited: name !== "" || undefined }),
      ...(isPinned !== undefined && { pinned: isPinned || undefined }),
      ...(isArchived !== undefined && { archived: isArchived || undefined }),
    });
    return chat.tellCard(key, scope);
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
      const position = await session.locate(entryId);
      const [first] = position < 0 ? [] : await session.read(position, position + 1);
      const text = await chat.sessions.rewind(key, scope, entryId);
      if (first !== undefined) await forgetShown(chat.shown, key, first);
      chat.live.rewrite(key);
      await chat.tellCard(key, scope);
      return { text };
    }),
});

const exportChat = operation({
  name: "chat.export",
  about: "A conversation as one document, with a name for its file.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey, format: z.enum(["markdown", "json"]) }),
  async run({ chat, clock }, { sessionKey: key, format }, caller) {
    const { messages, entries } = await chat.conversations.readAll(key, caller);
    const name = toExportName(key, clock.now(), format === "json" ? "json" : "md");
    const text =
      format === "markdown"
        ? toMarkdown(key, messages, speakTo(caller, chat.words)).text
        : JSON.stringify({ key, entries }, null, 2);
    return { name, text };
  },
});

export const sessionOperations = [label, markSeen, remove, recover, branch, rewind, exportChat] as const;

/** What was shown with the messages that were taken back goes with them. */
async function forgetShown(
  shown: ShownNotes,
  key: string,
  { id: turnId, at }: Pick<StoredMessage, "id" | "at">,
): Promise<void> {
  const notes: Note[] = Object.values(await shown.read(key)).flat();
  const kept = notes.filter((note) => note.turnId !== turnId && note.at < at);
  if (kept.length === notes.length) return;
  await shown.clear(key);
  await shown.append(
    key,
    kept.sort((a, b) => a.at - b.at),
  );
}

function refuseBusy({ live }: ChatServices, key: string): void {
  if (live.isRunning(key)) throw fail("chat.busy");
}

const longestResult = 4_000;

export function toExportName(key: string, now: number, ending: string): string {
  const stamp = toLocalIso(now).slice(0, 19).replaceAll(":", "-");
  return `${key.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 80)}-${stamp}.${ending}`;
}

/** With the number of messages in it. */
export function toMarkdown(
  key: string,
  messages: readonly StoredMessage[],
  words: Words,
): { text: string; count: number } {
  const blocks = messages.flatMap((message) => describeMessage(message, words));
  const title = `# ${words.answers.export.title(toPlainLine(key, 200))}`;
  return { text: `${[title, ...blocks].join("\n\n")}\n`, count: blocks.length };
}

function describeMessage(message: StoredMessage, words: Words): string[] {
  const { you, assistant, tool, calls } = words.answers.export;
  const at = toLocalIso(message.at).slice(0, 16).replace("T", " ");
  const text = toText(message);
  switch (message.role) {
    case "user":
      return [`## ${you} · ${at}\n\n${stripRuntimeContext(text).trim()}`];
    case "assistant": {
      const names = (message.tool_calls ?? []).map((call) => call.function.name);
      const parts = [text.trim(), ...(names.length > 0 ? [`*${calls(names.join(", "))}*`] : [])];
      return [`## ${assistant} · ${at}\n\n${parts.filter((part) => part !== "").join("\n\n")}`];
    }
    case "tool":
      return [`### ${tool(message.name)} · ${at}\n\n${quote(text)}`];
    default:
      return [];
  }
}

/** What a tool said is quoted, so that no heading in it looks like one of ours. */
function quote(text: string): string {
  const shown = text.length > longestResult ? `${text.slice(0, longestResult)} ...` : text;
  return shown
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function toText({ content }: StoredMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
