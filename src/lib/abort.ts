// Waiting for something until a signal aborts.

/** The promise's outcome, or a rejection with the signal's reason as soon as it aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    // Removed before anyone goes on: a listener that overlaps with the next one would keep it in memory after its end.
    const settle = (act: () => void) => {
      signal.removeEventListener("abort", stop);
      act();
    };
    // A promise that is no longer awaited may still fail; the failure is dropped.
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Calls it when the signal aborts, at once if it has: a listener that is added too late hears nothing. Returns how to remove it. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}

/** Why a person's own command was stopped: the command leaves here what it had printed until then. */
export class CommandStopped extends Error {
  override readonly name = "CommandStopped";
  output = "";

  constructor() {
    super("stopped");
  }
}
