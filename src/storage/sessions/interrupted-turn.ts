// Closing what a crash left open: a turn of ours whose messages end in the middle, and one of the Python original.
import { checkpointKeys, restoreCheckpoint } from "../python/session-line.ts";
import { closeOpenTail } from "./format/replay.ts";
import type { Session } from "./session.ts";

/** Can be repeated: what is already closed stays as it is. */
export async function closeInterruptedTurn(session: Session): Promise<void> {
  await session.append(restoreCheckpoint(session.recent, session.metadata));
  await session.append(closeOpenTail(session.recent));
  if (checkpointKeys.some((key) => key in session.metadata))
    await session.updateMetadata(Object.fromEntries(checkpointKeys.map((key) => [key, undefined])));
}
