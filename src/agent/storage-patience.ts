// Work that a store keeps from being done for a while is tried again until it is done or called off.
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { DurabilityError } from "../storage/durability.ts";
import { isStorageTrouble } from "../storage/files/storage-trouble.ts";

export interface Patience {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Default: troubles of a store, and nothing else. */
  isTrouble?(error: unknown): boolean;
  /** Each time that it has to wait. */
  onWait?(): Promise<void> | void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** What `work` does must be harmless when it is repeated. Throws the signal's reason when it aborts. */
export async function insist<T>(
  work: () => Promise<T>,
  { clock, log, signal, isTrouble = isStorageTrouble, onWait }: Patience,
): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTrouble(error)) throw error;
      log.error("not-stored-yet", { error, pause });
      await onWait?.();
      await clock.sleep(pause, signal);
    }
  }
}

/** Another process may act for the home: nothing more can be stored. */
export function isLost({ reason }: AbortSignal): boolean {
  return reason instanceof DurabilityError;
}
