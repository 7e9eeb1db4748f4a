// Waiting for something only as long as nobody has called it off.

/** The promise's outcome, or a rejection with the signal's reason as soon as it aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Whoever is no longer waited for may still fail, which is nobody's business then.
  promise.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}
