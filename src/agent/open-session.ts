// The session that a message is said in, or a command is about: whose it is, what its upkeep works with, and a look at
// what it would send.

import type { InboundMessage, Origin } from "../bus/types.ts";
import type { Inspection } from "../context/epochs.ts";
import { originOf, ownerScope, type Scope, scopeOf } from "../storage/scope.ts";
import type { Session } from "../storage/sessions/session.ts";
import { type TurnDependencies, toTurnInput } from "./turn-dependencies.ts";
import type { Upkept } from "./upkeep.ts";

/** A message that is only imagined, to look at what it would send. */
export interface ImaginedMessage {
  sessionKey: string;
  origin: Origin;
  text: string;
}

/** What the next request of a session would contain. Changes nothing, also while a turn runs. */
export async function inspectContext(
  dependencies: TurnDependencies,
  { sessionKey, origin, text }: ImaginedMessage,
): Promise<Inspection> {
  const session = await dependencies.sessions.open(sessionKey);
  const message = { origin, text, media: [] };
  const model = await dependencies.model(session);
  return dependencies.epochs.inspect(await toTurnInput(dependencies, { session, message, model }));
}

/** A session as its upkeep sees it, when no message is there to be answered: with the memory of whose it is. */
export async function toUpkept(
  dependencies: TurnDependencies,
  session: Session,
  scope: Scope = session.scope ?? ownerScope,
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
  const session = await sessions.open(sessionKey);
  const isOthers = !isUnclaimed(session) && session.scope !== scopeOf(origin);
  // A turn that was begun in it goes on in it.
  if (isOthers && !session.has(id)) {
    // A scheduled task does not end a conversation.
    const isTask = kind === "system";
    if (!isTask) await upkeep.endConversation(sessions, session);
    const own = isTask ? `${sessionKey}:${scopeOf(origin)}` : sessionKey;
    return openFor({ sessions, upkeep }, { ...inbound, kind: "user", sessionKey: own });
  }
  await claim(session, origin);
  return session;
}

/** Before anything is said: nothing of a guest or a group may pass for the owner's, not even for a moment. */
export async function claim(session: Session, origin: Origin): Promise<void> {
  const scope = scopeOf(origin);
  if (isUnclaimed(session) && session.scope !== scope) await session.updateMetadata({ scope });
}

/** New, or imported from the Python original, which does not separate people: the first to speak in it owns it. */
function isUnclaimed({ scope, count }: Session): boolean {
  return count === 0 || scope === undefined;
}
