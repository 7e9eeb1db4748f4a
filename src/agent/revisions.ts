// What becomes of a message that its sender has edited or deleted: one that still waits is replaced or taken out, one that is
// being answered or was answered is corrected by a message of its own, or no longer read. Knows no channel.
import type { LiveBody } from "../bus/live.ts";
import type { InboundMessage } from "../bus/types.ts";
import { scopeOf } from "../storage/scope.ts";
import type { Session } from "../storage/sessions/session.ts";
import { type TurnDependencies, toNamedText } from "./dependencies.ts";
import { type Job, type TurnOutcome, toCommandOutcome } from "./job.ts";
import type { Lanes } from "./lanes.ts";

/** Whether that is all: the message had not begun. Otherwise the change waits for its turn in the lane. */
export function reviseWaiting({ inbound, joined }: Job, lanes: Lanes): boolean {
  const { revises, sessionKey, text } = inbound;
  const changed = revises && lanes.find(sessionKey, revises.id);
  if (changed === undefined) return false;
  if (changed.isBegun === true) {
    // What others said meanwhile is still to be answered.
    if (revises?.isDeleted && changed.joined.length === 0) lanes.abort(sessionKey, changed);
    return false;
  }
  if (revises?.isDeleted) {
    lanes.withdraw(sessionKey, changed);
    joined.push(changed.inbound.id);
  } else changed.inbound = { ...changed.inbound, text };
  return true;
}

/** An answer to a correction may turn out to be none: it is not shown while it is written. */
export function isShown({ revises }: InboundMessage, { type }: LiveBody): boolean {
  return revises === undefined || type !== "text-delta";
}

/** Nothing has to be said about it: the conversation has the message as it reads now, or does not have it at all. */
export async function isReadAlready(session: Session, inbound: InboundMessage): Promise<boolean> {
  const { revises } = inbound;
  if (revises === undefined) return false;
  const position = await session.locate(revises.id);
  if (position < 0) return true;
  const [own, ...later] = await session.read(position);
  if (later.some((message) => message.revises === revises.id)) return false;
  return toStart(own?.content).startsWith(toNamedText(inbound)) && own?.said === toNamedText(inbound).length;
}

function toStart(content: unknown): string {
  return typeof content === "string" ? content : "";
}

/** From now on the message is neither sent to a model nor recalled nor shown. Its line stays in the file. */
export async function deleteMessage(
  { sessions, lock }: Pick<TurnDependencies, "sessions" | "lock">,
  job: Job,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { sessionKey, origin, revises } = job.inbound;
  const release = await lock.acquire(`session ${sessionKey}`, signal);
  try {
    const session = await sessions.find(sessionKey, scopeOf(origin));
    if (revises !== undefined && session?.has(revises.id)) {
      const { deleted = [], forgotten = [] } = session.metadata;
      const add = (ids: readonly string[]) => [...new Set([...ids, revises.id])];
      // What was sent is no longer sent as it was: another epoch.
      const patch = { deleted: add(deleted), forgotten: add(forgotten), epoch: undefined };
      await session.updateMetadata(patch, { sync: true });
    }
    return toCommandOutcome(job, "");
  } finally {
    release();
  }
}
