// A validator: estimates the tokens of each prompt and warns when they pass a limit.
import { type ContextExtensions, estimateTokens } from "../../src/index.ts";

export function warnOver(limit: number, warn: (sentence: string) => void): ContextExtensions {
  return {
    inspect(messages) {
      const tokens = messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message)), 0);
      if (tokens > limit) warn(`This prompt has some ${tokens} tokens, more than ${limit}.`);
    },
  };
}
