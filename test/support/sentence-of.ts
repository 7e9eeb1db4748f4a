// What people read of a call or a turn that failed, in English; undefined where it did not.
import type { TurnOutcome } from "../../src/agent/job.ts";
import { sayInEnglish } from "../../src/i18n/words.ts";
import { toPhrase } from "../../src/llm/errors/provider-error.ts";
import type { ProviderError } from "../../src/llm/types.ts";

export function sentenceOf(error: ProviderError | TurnOutcome["error"]): string | undefined {
  if (error === undefined) return undefined;
  return sayInEnglish("host" in error ? toPhrase(error) : error.phrase);
}
