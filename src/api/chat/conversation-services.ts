// What operations on the conversation that they are asked in work on, with or without a gateway.
import type { AgentLoop } from "../../agent/loop.ts";
import type { ModelRuntime } from "../../agent/model-runtime.ts";
import type { FileRoots } from "../../guards/file-roots.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import type { UndoLog } from "../../storage/changes/undo-log.ts";
import type { RememberedApprovals } from "../../storage/grants/remembered-approvals.ts";
import { scopeOf } from "../../storage/scope.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { Caller } from "../operation.ts";

/** Which model answers in a conversation. */
export interface ConversationModels {
  /** The one that answers where no other was chosen. */
  readonly usual: ModelRuntime;
  /** It was given by the program that runs the assistant: there is no other. */
  readonly isGiven: boolean;
  /** Names of presets. */
  list(): string[];
  of(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  /** From the next turn on; undefined: the usual one again. Throws a UserError for one that cannot be used. */
  choose(session: Session, name: string | undefined): Promise<ModelRuntime>;
}

export interface ConversationServices {
  loop: Pick<AgentLoop, "activeTurns" | "uptimeMs" | "subagents" | "closeSession" | "compact">;
  sessions: SessionManager;
  models: ConversationModels;
  remembered: RememberedApprovals;
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
