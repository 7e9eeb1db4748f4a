// What was said in a session is archived because a person wants it: all of it at its end, or so far. Needs the home lock.
import type { InboundMessage } from "../bus/types.ts";
import type { Consolidation } from "../memory/consolidator.ts";
import { scopeOf } from "../storage/scope.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { toUpkept } from "./open-session.ts";
import type { TurnDependencies } from "./turn-dependencies.ts";

export type SaidIn = Pick<InboundMessage, "sessionKey" | "origin">;

export interface Compaction {
  /** What the summary looks after. */
  focus: string;
  /** Aborts when it is stopped, or the program ends. */
  signal?: AbortSignal;
}

/** The file gets another name, and is archived in the background. What is another's stays. */
export async function endSession({ sessions, upkeep }: TurnDependencies, said: SaidIn): Promise<void> {
  const { sessionKey, origin } = said;
  if ((await findSaid(sessions, said)) !== undefined)
    await upkeep.endConversation(sessions, sessionKey, scopeOf(origin));
}

export async function compactSession(
  turns: TurnDependencies,
  said: SaidIn,
  wanted: Compaction,
): Promise<Consolidation> {
  const session = await findSaid(turns.sessions, said);
  if (session === undefined) return { archived: 0, freed: 0 };
  return turns.upkeep.compact(await toUpkept(turns, session, scopeOf(said.origin)), wanted);
}

/** Undefined where it is another's. */
async function findSaid(
  sessions: SessionManager,
  { sessionKey, origin }: SaidIn,
): Promise<Session | undefined> {
  const scope = scopeOf(origin);
  const session = await sessions.find(sessionKey, scope);
  // One of the Python original belongs to the first who does something with it.
  return session?.count === 0 ? session : sessions.claim(sessionKey, scope);
}
