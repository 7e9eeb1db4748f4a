// Notices that the folder of a running assistant is gone, or that another process may act for it.
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { DurabilityError } from "./durability.ts";
import { durabilityOf, isHomeGone } from "./served-homes.ts";

export interface WatchHomeOptions {
  paths: { home: string };
  words: Words;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Said once each time that it is gone. */
  onProblem?(sentence: string): void;
  onLost(error: DurabilityError): void;
}

const checkMs = 2_000;

export async function watchHome(options: WatchHomeOptions): Promise<void> {
  const { paths, words, clock, log, signal, onProblem, onLost } = options;
  const { home } = paths;
  for (let wasGone = false; ; ) {
    const isGone = isHomeGone(home);
    if (isGone && !wasGone) {
      log.error("home-gone", { home });
      onProblem?.(say(phrase("home.gone", { home }), words));
    }
    wasGone = isGone;
    const lost = findLoss(home);
    if (lost !== undefined) {
      log.error("home-lost", { home });
      onProblem?.(say(lost.phrase, words));
      return onLost(lost);
    }
    await clock.sleep(checkMs, signal);
  }
}

function findLoss(home: string): DurabilityError | undefined {
  try {
    durabilityOf(home).assertHeld();
    return undefined;
  } catch (error) {
    if (error instanceof DurabilityError) return error;
    throw error;
  }
}
