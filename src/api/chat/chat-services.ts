// What the operations about conversations share.

import type { ModelRuntime } from "../../agent/dependencies.ts";
import type { AgentLoop } from "../../agent/loop.ts";
import type { Models } from "../../agent/models/models.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import type { Recall } from "../../recall/recall.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import { PutFiles } from "../../storage/blobs/put-files.ts";
import type { UndoLog } from "../../storage/changes/undo-log.ts";
import { FileTrash } from "../../storage/files/file-trash.ts";
import type { RememberedApprovals } from "../../storage/grants/remembered-approvals.ts";
import type { HomePaths } from "../../storage/home.ts";
import { ownerScope, type Scope, scopeOf } from "../../storage/scope.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { originOf } from "../files/file-access.ts";
import type { Caller } from "../operation.ts";
import type { RunOwnCommand } from "../terminal/own-commands.ts";
import { Conversations } from "./conversations.ts";
import { SessionAccess, SessionCards } from "./session-access.ts";
import type { ShownNotes } from "./shown-log.ts";
import { askForTitle } from "./titles.ts";
import type { ChatEvent, LiveConversations, Say, SessionCard } from "./wire.ts";

export interface ChatPorts {
  loop: AgentLoop;
  sessions: SessionManager;
  recall: Recall;
  skills: SkillsLoader;
  /** In the language of the home; `speakTo` has them in the caller's. */
  words: Words;
  paths: HomePaths;
  workspace: string;
  clock: Clock;
  log: Log;
  live: LiveConversations;
  shown: ShownNotes;
  say: Say;
  /** Of a turn that does not come over the bus. */
  publishLive: MessageBus["publishLive"];
  /** Tells owners, and that guest. */
  publish(event: ChatEvent, audience: { person?: string }): void;
  /** The model that answers in a session. */
  modelOf(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  transcribe(
    recording: { name: string; bytes: Uint8Array },
    signal: AbortSignal,
    speaker: { person: string },
  ): Promise<{ text: string } | { reason: Phrase }>;
  /** A host for it is configured. */
  canTranscribe(): boolean;
  runOwnCommand: RunOwnCommand;
}

interface TitleOptions {
  /** Only where there is none. */
  isUnasked?: boolean;
  signal?: AbortSignal | undefined;
}

export interface ChatServices extends Omit<ChatPorts, "paths" | "workspace" | "clock" | "log"> {
  access: SessionAccess;
  cards: SessionCards;
  conversations: Conversations;
  files: PutFiles;
  fileTrash: FileTrash;
  /** Commands of `terminal.run` that are not over, by their ids. */
  ownCommands: Map<string, AbortController>;
  /** Waits for what else is done to a conversation as a whole. */
  whenWhole<T>(sessionKey: string, work: () => Promise<T>): Promise<T>;
  /** Asks the model for a title, and gives it. Undefined where it gave none. */
  makeTitle(sessionKey: string, options?: TitleOptions): Promise<SessionCard | undefined>;
  /** Sends viewers the list entry of this conversation. */
  tellCard(sessionKey: string, scope: Scope): Promise<SessionCard>;
}

export function createChatServices({ paths, workspace, clock, log: _, ...ports }: ChatPorts): ChatServices {
  const { sessions, live, shown, publish, modelOf } = ports;
  const access = new SessionAccess(sessions);
  const cards = new SessionCards(sessions, live);
  const lock = new KeyedLock();
  const tellCard: ChatServices["tellCard"] = async (sessionKey, scope) => {
    const session = await cards.of(sessionKey, scope);
    publish({ type: "session-changed", session }, { person: session.guest });
    return session;
  };
  return {
    ...ports,
    access,
    cards,
    conversations: new Conversations({ access, cards, live, shown, modelOf }),
    files: new PutFiles({ paths, workspace, now: () => clock.now() }),
    fileTrash: new FileTrash(paths.trash, clock),
    ownCommands: new Map(),
    whenWhole: (key, work) => lock.run(key, work),
    tellCard,
    async makeTitle(sessionKey, { isUnasked = false, signal = AbortSignal.any([]) } = {}) {
      const scope = (await sessions.scopeOf(sessionKey)) ?? ownerScope;
      const session = await sessions.open(sessionKey, scope);
      // It may have been named before, or by the person while the model was asked.
      const isNamed = () => isUnasked && session.metadata.title !== undefined;
      const title = isNamed() ? undefined : await askForTitle(session, await modelOf(session), signal);
      if (title === undefined || isNamed()) return undefined;
      await session.updateMetadata({ title, title_user_edited: undefined });
      return tellCard(sessionKey, scope);
    },
  };
}

export interface ConversationServices {
  loop: Pick<AgentLoop, "activeTurns" | "uptimeMs" | "subagents" | "closeSession" | "compact">;
  sessions: SessionManager;
  models: Models;
  remembered: RememberedApprovals;
  skills: Pick<SkillsLoader, "survey" | "grant">;
  undo: UndoLog;
  roots: FileRoots;
  /** In the language of the home; `speakTo` has them in the caller's. */
  words: Words;
}

/** The session of the conversation that it is asked in. */
export function openChat(sessions: SessionManager, caller: Caller): Promise<Session> {
  const { sessionKey, origin } = chatOf(caller);
  return sessions.open(sessionKey, scopeOf(origin));
}

/** The conversation that it is asked in. */
export function chatOf({ chat }: Caller): NonNullable<Caller["chat"]> {
  if (chat === undefined) throw fail("chat.needs-chat");
  return chat;
}

/** The conversation that is named, if the caller may write in it, or the one that it is asked in. */
export async function chatNamed(
  { chat }: { chat: Pick<ChatServices, "access"> },
  sessionKey: string | undefined,
  caller: Caller,
): Promise<NonNullable<Caller["chat"]>> {
  if (sessionKey === undefined) return chatOf(caller);
  await chat.access.openForWriting(sessionKey, caller);
  return { sessionKey, origin: originOf(caller) };
}
