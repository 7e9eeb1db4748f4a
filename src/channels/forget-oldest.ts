// What is remembered for convenience, and bounded: the oldest goes first.

const mostRemembered = 1_000;

export function forgetOldest(kept: Map<string, unknown> | Set<string>, most = mostRemembered): void {
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}
