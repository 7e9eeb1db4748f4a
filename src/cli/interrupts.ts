// Signals from outside: the first one asks the running command to end, the second one ends the process.
import { constants } from "node:os";
import { systemClock } from "../lib/clock.ts";
import { Interrupted } from "./command-failure.ts";

export interface InterruptOptions {
  /** What the person is told. */
  sentence: string;
  /** Must not come back. */
  onSecond(exitCode: number): void;
  /** Milliseconds that only ever grow. */
  elapsed?(): number;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What npm and other starters pass on of a key that the terminal has sent to all of us arrives a moment after it. */
const copyMs = 500;

export function watchInterrupts(
  process: Pick<NodeJS.Process, "on">,
  { sentence, onSecond, elapsed = systemClock.elapsed }: InterruptOptions,
): AbortSignal {
  const controller = new AbortController();
  let firstAt = Number.NEGATIVE_INFINITY;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!controller.signal.aborted) firstAt = elapsed();
      else if (elapsed() - firstAt >= copyMs) onSecond(128 + constants.signals[signal]);
      controller.abort(new Interrupted(sentence));
    });
  }
  return controller.signal;
}
