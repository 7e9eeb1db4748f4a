// A history compressor: the last rounds are sent, a round being a user's message and all that followed it.
import type { ContextExtensions, Message } from "../../src/index.ts";

export function keepLastRounds(rounds: number): ContextExtensions {
  return {
    compressHistory(history: readonly Message[]) {
      const starts = history.flatMap(({ role }, index) => (role === "user" ? [index] : []));
      return history.slice(starts.at(-rounds) ?? 0);
    },
  };
}
