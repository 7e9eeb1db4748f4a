// Ids that sort by time, are unique across processes, and fit every provider's alphabet for tool calls.
import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "./clock.ts";

export interface Ids {
  next(): string;
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

export function createIds(
  clock: Clock = systemClock,
  random: (size: number) => Uint8Array = randomBytes,
): Ids {
  return {
    next() {
      let tail = "";
      for (const byte of random(6)) tail += alphabet[byte % 36];
      return clock.now().toString(36) + tail;
    },
  };
}
