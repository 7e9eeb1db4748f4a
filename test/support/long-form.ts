// Campaigns have two forms: the sample that CI runs, and the full one of a quiet hour (FULL=1).

export const isFull = process.env.FULL === "1";

export function sampled<T>(sample: T, full: T): T {
  return isFull ? full : sample;
}
