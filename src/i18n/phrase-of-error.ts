// The one place that knows what to say of errors that carry facts instead of a sentence.
import { HomeLockedError } from "../lib/home-lock.ts";
import { StateFileError } from "../lib/state-file.ts";
import { NewerStateError } from "../lib/state-schema.ts";
import { type Phrase, phrase } from "./phrase.ts";
import { UserError } from "./user-error.ts";

/** Undefined for a fault of the program, and for errors of the system that nobody has named. */
export function phraseOfError(error: unknown): Phrase | undefined {
  if (error instanceof UserError || error instanceof StateFileError) return error.phrase;
  if (error instanceof HomeLockedError) return phraseOfLock(error);
  if (error instanceof NewerStateError) {
    const { path, version } = error;
    return phrase("storage.newer", { path, version });
  }
  return undefined;
}

function phraseOfLock({ home, holder }: HomeLockedError): Phrase {
  return holder === undefined
    ? phrase("storage.locked", { home })
    : phrase("storage.locked-by", { home, ...holder });
}
