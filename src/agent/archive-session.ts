// What was said in a session is archived because a person wants it: all of it at its end, or so far. Needs the home lock.
import type { InboundMessage } from "../bus/types.ts";
import type { Consolidation } from "../memory/consolidator.ts";
import type { Session } from "../storage/sessions/session.ts";
import { claim, toUpkept } from "./open-session.ts";
import type { TurnDependencies } from "./turn-dependencies.ts";

export type SaidIn = Pick<InboundMessage, "sessionKey" | "origin">;

/** The file gets another name, and is archived in the background. */
export async function endSession(turns: TurnDependencies, said: SaidIn): Promise<void> {
  await turns.upkeep.endConversation(turns.sessions, await openSaid(turns, said));
}

export async function compactSession(
  turns: TurnDependencies,
  said: SaidIn,
  focus: string,
): Promise<Consolidation> {
  return turns.upkeep.compact(await toUpkept(turns, await openSaid(turns, said)), focus);
}

async function openSaid({ sessions }: TurnDependencies, { sessionKey, origin }: SaidIn): Promise<Session> {
  const session = await sessions.open(sessionKey);
  if (session.count > 0) await claim(session, origin);
  return session;
}
