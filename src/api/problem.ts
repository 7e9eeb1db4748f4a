// A refusal as it goes over the wire and into `--json`: a code with its parameters, and the sentence for readers that
// have no catalogue. Programs read the code.
import { type Phrase, type PhraseCode, phrase } from "../i18n/phrase.ts";
import { phraseOfError, UserError } from "../i18n/user-error.ts";
import { say, type Words } from "../i18n/words.ts";

export interface Problem {
  code: PhraseCode;
  params: Record<string, unknown>;
  message: string;
  /** Problems by their place in the params. */
  fields?: Array<{ path: string; code: PhraseCode; params: Record<string, unknown>; message: string }>;
}

/** Undefined for a failure that is ours. */
export function toProblem(error: unknown, words: Words): Problem | undefined {
  const said = phraseOfError(error);
  if (said === undefined) return undefined;
  const fields = error instanceof UserError ? error.fields : undefined;
  return {
    ...toCoded(said, words),
    ...(fields && {
      fields: fields.map(({ path, phrase: wrong }) => ({ path, ...toCoded(wrong, words) })),
    }),
  };
}

export function toFailedProblem(words: Words): Problem {
  return toCoded(phrase("request.failed"), words);
}

function toCoded(said: Phrase, words: Words) {
  return { code: said.code, params: { ...said.params }, message: say(said, words) };
}
