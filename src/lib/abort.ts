// Waiting for something only as long as nobody has called it off.

/** The promise's outcome, or a rejection with the signal's reason as soon as it aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    // Whoever is no longer waited for may still fail, which is nobody's business then.
    promise.then(resolve, reject).then(() => signal.removeEventListener("abort", stop));
  });
}
