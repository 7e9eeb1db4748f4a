// Signals from outside: the first one asks the running command to end, the second one ends the process.
import { constants } from "node:os";
import { Interrupted } from "./command-failure.ts";

export interface InterruptOptions {
  /** What the person is told. */
  sentence: string;
  /** Must not come back. */
  onSecond(exitCode: number): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function watchInterrupts(
  process: NodeJS.Process,
  { sentence, onSecond }: InterruptOptions,
): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => {
      if (controller.signal.aborted) onSecond(128 + constants.signals[signal]);
      controller.abort(new Interrupted(sentence));
    });
  }
  return controller.signal;
}
