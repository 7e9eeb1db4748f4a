// Notices that the folder of a running assistant is gone.
import { phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { isHomeGone } from "../storage/home-presence.ts";

export interface WatchHomeOptions {
  paths: { home: string };
  words: Words;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Said once each time that it is gone. */
  onProblem?(sentence: string): void;
}

const checkMs = 2_000;

export async function watchHome(options: WatchHomeOptions): Promise<void> {
  const { paths, words, clock, log, signal, onProblem } = options;
  const { home } = paths;
  for (let wasGone = false; ; ) {
    const isGone = isHomeGone(home);
    if (isGone && !wasGone) {
      log.error("home-gone", { home });
      onProblem?.(say(phrase("home.gone", { home }), words));
    }
    wasGone = isGone;
    await clock.sleep(checkMs, signal);
  }
}
