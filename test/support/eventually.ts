// Looks again and again until something holds, with a limit that only a hang can reach.
import { expect } from "vitest";

export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 30_000, interval: 20 });
}
