// What ends a command before it is done, as a sentence for the person who typed it.
import { tellProblems } from "../../config/problem.ts";
import { collectSecrets } from "../../config/secrets.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { phraseOfError, phraseOfSystemError, UserError } from "../../i18n/user-error.ts";
import { say, type Words } from "../../i18n/words.ts";
import { createRedactor } from "../../lib/redact.ts";
import { neutralise } from "../../lib/visible-text.ts";

export class CommandFailure extends Error {
  override name = "CommandFailure";
  /** 1: it failed; 2: it was used wrongly; 130: it was interrupted. */
  readonly exitCode: 1 | 2 | 130;

  constructor(sentence: string, exitCode: CommandFailure["exitCode"] = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export class Interrupted extends CommandFailure {
  override name = "Interrupted";

  constructor(sentence: string) {
    super(sentence, 130);
  }
}

/** What a person reads of a failure of the world; undefined for a fault of the program. */
export function describeFailure(error: unknown, words: Words): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  const said = toPhrase(error);
  if (said === undefined) return undefined;
  const fields = error instanceof UserError ? (error.fields ?? []) : [];
  const others = fields.filter(({ phrase }) => phrase.code !== said.code);
  return neutralise([say(said, words), ...tellProblems(others, words)].join("\n"));
}

export function describeError(error: unknown, words: Words, env: NodeJS.ProcessEnv): string {
  const sentence = describeFailure(error, words);
  // Made here, for the person who typed the command: it may hold a link to sign in with.
  if (error instanceof CommandFailure && sentence !== undefined) return sentence;
  if (sentence !== undefined) return redact(sentence, env);
  const reason = error instanceof Error ? error.message : String(error);
  return redact(words.failure.unexpected(reason.replace(/\.$/, "")), env);
}

function toPhrase(error: unknown): Phrase | undefined {
  return phraseOfError(error) ?? phraseOfSystemError(error);
}

export function redact(text: string, env: NodeJS.ProcessEnv): string {
  const redactor = createRedactor();
  for (const secret of collectSecrets(env)) redactor.add(secret);
  return redactor.redact(text);
}
