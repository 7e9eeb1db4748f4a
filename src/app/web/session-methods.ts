// What can be done with a whole conversation: its title and place in the list, removing it, going back in it, taking it out.

import * as z from "zod";
import { fromScope } from "../../bus/scope.ts";
import { toBrowserKey } from "../../bus/session-key.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import type { EventHub } from "../../server/event-hub.ts";
import type { LiveSessions } from "../../server/live-sessions.ts";
import { type MethodTable, WishError } from "../../server/methods.ts";
import type { ChatMethods, SessionCard } from "../../server/protocol/chat.ts";
import type { Viewer } from "../../server/protocol.ts";
import type { ShownLog } from "../../server/shown-log.ts";
import type { App } from "../build-app.ts";
import { toExportName, toMarkdown } from "../export-session.ts";
import type { Conversations } from "./conversations.ts";
import { maySee, missing, type SessionAccess, toAudience } from "./session-access.ts";
import { branchSession, rewindSession } from "./session-branch.ts";
import type { SessionCards } from "./session-cards.ts";
import type { SessionTrash } from "./session-trash.ts";

type WholeMethods = Pick<
  ChatMethods,
  "chat.label" | "chat.remove" | "chat.recover" | "chat.branch" | "chat.rewind" | "chat.export"
>;

export interface SessionMethodParts {
  app: Pick<App, "sessions" | "lock">;
  access: SessionAccess;
  cards: SessionCards;
  conversations: Conversations;
  trash: SessionTrash;
  live: LiveSessions;
  shown: ShownLog;
  hub: EventHub;
  words: Words;
  now(): number;
  newId(): string;
  /** Waits for whatever else is done to a conversation as a whole. */
  whenWhole<T>(sessionKey: string, work: () => Promise<T>): Promise<T>;
}

const key = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestTitle = 200;

export function createSessionMethods(parts: SessionMethodParts): MethodTable<WholeMethods> {
  const { app, access, conversations, live, whenWhole } = parts;
  return {
    "chat.label": {
      params: z.strictObject({
        sessionKey: key,
        title: z.string().max(longestTitle).optional(),
        isPinned: z.boolean().optional(),
        isArchived: z.boolean().optional(),
      }),
      isForGuests: true,
      run: (wish, { viewer }) => label(parts, wish, viewer),
    },
    "chat.remove": {
      params: z.strictObject({ sessionKey: key }),
      isForGuests: true,
      run: ({ sessionKey }, { viewer }) => whenWhole(sessionKey, () => remove(parts, sessionKey, viewer)),
    },
    "chat.recover": {
      params: z.strictObject({ undo: id }),
      isForGuests: true,
      run: ({ undo }, { viewer }) => recover(parts, undo, viewer),
    },
    "chat.branch": {
      params: z.strictObject({ sessionKey: key, before: id.optional() }),
      isForGuests: true,
      async run({ sessionKey, before }, { viewer }) {
        const { session, scope } = await access.open(sessionKey, viewer);
        if (viewer.role === "owner" && fromScope(scope).role === "guest")
          throw new WishError("This conversation can only be read: it is closed, or a guest's own.");
        const branch = { key: toBrowserKey(parts.newId(), viewer), ...(before !== undefined && { before }) };
        const text = await branchSession(app, session, branch);
        await tellCard(parts, branch.key);
        return { sessionKey: branch.key, text };
      },
    },
    "chat.rewind": {
      params: z.strictObject({ sessionKey: key, entryId: id }),
      isForGuests: true,
      run: ({ sessionKey, entryId }, { viewer }) =>
        whenWhole(sessionKey, async () => {
          const { session } = await access.openForWriting(sessionKey, viewer);
          refuseBusy(parts, sessionKey);
          const text = await rewindSession(app, session, entryId);
          live.rewrite(sessionKey);
          await tellCard(parts, sessionKey);
          return { text };
        }),
    },
    "chat.export": {
      params: z.strictObject({ sessionKey: key, format: z.enum(["markdown", "json"]) }),
      isForGuests: true,
      async run({ sessionKey, format }, caller) {
        const { messages, entries } = await conversations.readAll(sessionKey, caller.viewer);
        const name = toExportName(sessionKey, parts.now(), format === "json" ? "json" : "md");
        const words = speakTo(caller, parts.words);
        if (format === "markdown") return { name, text: toMarkdown(sessionKey, messages, words).text };
        return { name, text: JSON.stringify({ key: sessionKey, entries }, null, 2) };
      },
    },
  };
}

async function label(
  parts: SessionMethodParts,
  { sessionKey, title, isPinned, isArchived }: ChatMethods["chat.label"]["params"],
  viewer: Viewer,
): Promise<SessionCard> {
  const { session } = await parts.access.openForWriting(sessionKey, viewer);
  if (session.count === 0) throw new WishError("Nothing was said here yet.");
  const name = title?.trim();
  const release = await parts.app.lock.acquire(`session ${sessionKey}`);
  try {
    await session.updateMetadata({
      ...(name !== undefined && { title: name || undefined, title_user_edited: name !== "" || undefined }),
      ...(isPinned !== undefined && { pinned: isPinned || undefined }),
      ...(isArchived !== undefined && { archived: isArchived || undefined }),
    });
  } finally {
    release();
  }
  return tellCard(parts, sessionKey);
}

async function remove(
  parts: SessionMethodParts,
  sessionKey: string,
  viewer: Viewer,
): Promise<{ undo: string }> {
  const { app, access, trash, shown, hub } = parts;
  const { session, scope, isClosed } = await access.open(sessionKey, viewer);
  refuseBusy(parts, sessionKey);
  const release = await app.lock.acquire(`session ${sessionKey}`);
  try {
    const undo = await (isClosed ? trash.removeClosed(session.path) : trash.remove(sessionKey));
    await shown.clear(sessionKey);
    hub.publish({ type: "session-removed", sessionKey }, toAudience(scope));
    return { undo: undo ?? "" };
  } finally {
    release();
  }
}

async function recover(parts: SessionMethodParts, undo: string, viewer: Viewer): Promise<SessionCard> {
  const { trash, app } = parts;
  if (!maySee(await trash.scopeOf(undo), viewer)) throw missing();
  const release = await app.lock.acquire("a removed session");
  try {
    return await tellCard(parts, await trash.recover(undo));
  } finally {
    release();
  }
}

async function tellCard({ cards, hub }: SessionMethodParts, sessionKey: string): Promise<SessionCard> {
  const session = await cards.of(sessionKey);
  hub.publish({ type: "session-changed", session }, { person: session.guest });
  return session;
}

function refuseBusy({ live }: SessionMethodParts, sessionKey: string): void {
  if (live.isRunning(sessionKey))
    throw new WishError("The assistant is at work in this conversation. Stop it first.");
}
