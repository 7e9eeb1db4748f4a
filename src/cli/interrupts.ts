// Signals from outside: the first one asks the running command to end, the second one ends the process.
import { constants } from "node:os";

export class Interrupted extends Error {
  override name = "Interrupted";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Aborts on the first signal. `onSecond` must not come back. */
export function watchInterrupts(process: NodeJS.Process, onSecond: (code: number) => void): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => {
      if (controller.signal.aborted) onSecond(exitCodeOf(signal));
      controller.abort(new Interrupted(`interrupted by ${signal}`));
    });
  }
  return controller.signal;
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
