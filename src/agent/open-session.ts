// The session that a message is said in, or a command is about: whose it is, what its upkeep works with, and a look at
// what it would send.
import type { InboundMessage, Origin } from "../bus/types.ts";
import type { Inspection } from "../context/epochs.ts";
import type { Consolidation } from "../memory/consolidator.ts";
import { originOf, type Scope, scopeOf } from "../storage/scope.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { type TurnDependencies, toTurnInput } from "./dependencies.ts";
import type { Upkept } from "./upkeep.ts";

/** A message that is only imagined, to look at what it would send. */
interface ImaginedMessage {
  sessionKey: string;
  origin: Origin;
  text: string;
}

export type InspectRequest = Pick<ImaginedMessage, "sessionKey"> & Partial<ImaginedMessage>;

/** What the next request of a session would contain. Changes nothing, also while a turn runs. */
export async function inspectContext(
  dependencies: TurnDependencies,
  { sessionKey, origin, text }: ImaginedMessage,
): Promise<Inspection> {
  const session = await dependencies.sessions.open(sessionKey, scopeOf(origin));
  const message = { origin, text, media: [] };
  const model = await dependencies.model(session);
  return dependencies.epochs.inspect(await toTurnInput(dependencies, { session, message, model }));
}

/** A session as its upkeep sees it, when no message is there to be answered: with the memory of whose it is. */
export async function toUpkept(
  dependencies: TurnDependencies,
  session: Session,
  scope: Scope,
): Promise<Upkept> {
  const model = await dependencies.model(session);
  const message = { origin: originOf(session.key, scope), text: "" };
  return { model, input: await toTurnInput(dependencies, { session, message, model }) };
}

/**
 * The session of an inbound message. A conversation belongs to one person or group for good: a message of another one
 * under the same key begins a new conversation, and the old one is archived for its owner.
 */
export async function openFor(
  { sessions, upkeep }: Pick<TurnDependencies, "sessions" | "upkeep">,
  inbound: Pick<InboundMessage, "id" | "sessionKey" | "origin" | "kind">,
): Promise<Session> {
  const { id, sessionKey, origin, kind } = inbound;
  const scope = scopeOf(origin);
  // A turn that was begun in it goes on in it.
  const session = await sessions.claim(sessionKey, scope, id);
  if (session !== undefined) return session;
  // A scheduled task does not end a conversation.
  const isTask = kind === "system";
  const other = isTask ? undefined : await sessions.scopeOf(sessionKey);
  if (other !== undefined) await upkeep.endConversation(sessions, sessionKey, other);
  const own = isTask ? `${sessionKey}:${scope}` : sessionKey;
  return openFor({ sessions, upkeep }, { ...inbound, kind: "user", sessionKey: own });
}

export type InSession = Pick<InboundMessage, "sessionKey" | "origin">;

export interface Compaction {
  /** What the summary should keep. */
  focus: string;
  /** Aborts when it is stopped, or the program ends. */
  signal?: AbortSignal;
}

/** Renames the file and archives it in the background. Needs the home lock. Sessions of other people stay. */
export async function endSession({ sessions, upkeep }: TurnDependencies, where: InSession): Promise<void> {
  const { sessionKey, origin } = where;
  if ((await findOwn(sessions, where)) !== undefined)
    await upkeep.endConversation(sessions, sessionKey, scopeOf(origin));
}

export async function compactSession(
  turns: TurnDependencies,
  where: InSession,
  options: Compaction,
): Promise<Consolidation> {
  const session = await findOwn(turns.sessions, where);
  if (session === undefined) return { archived: 0, freed: 0 };
  return turns.upkeep.compact(await toUpkept(turns, session, scopeOf(where.origin)), options);
}

/** Undefined where it belongs to another person. */
async function findOwn(
  sessions: SessionManager,
  { sessionKey, origin }: InSession,
): Promise<Session | undefined> {
  const scope = scopeOf(origin);
  const session = await sessions.find(sessionKey, scope);
  // A session of the Python original belongs to the first person who uses it.
  return session?.count === 0 ? session : sessions.claim(sessionKey, scope);
}
