// Errors for people: a code with parameters, which a catalogue turns into a sentence; and the phrase for any error.
import { isSystemError, systemCode } from "../lib/process/system-code.ts";
import { type Phrase, type PhraseArguments, type PhraseCode, phrase } from "./phrase.ts";

/** What is wrong at one place of the params, for forms. */
export interface FieldProblem {
  /** Into the params, such as `schedule.at`. */
  path: string;
  phrase: Phrase;
}

/** An error that carries the sentence for people. */
export abstract class PhrasedError extends Error {
  abstract readonly phrase: Phrase;
}

export class UserError extends PhrasedError {
  override readonly name = "UserError";
  override readonly phrase: Phrase;
  readonly fields: readonly FieldProblem[] | undefined;

  constructor(said: Phrase, { fields, cause }: { fields?: readonly FieldProblem[]; cause?: unknown } = {}) {
    super(said.code, { cause });
    this.phrase = said;
    this.fields = fields;
  }
}

/** `throw fail("jobs.not-found", { id })` */
export function fail<Code extends PhraseCode>(
  code: Code,
  ...params: PhraseArguments<NoInfer<Code>>
): UserError {
  return new UserError(phrase<Code>(code, ...params));
}

/** The same, said at one field of a form, too. */
export function failAt<Code extends PhraseCode>(
  path: string,
  code: Code,
  ...params: PhraseArguments<NoInfer<Code>>
): UserError {
  const said: Phrase = phrase<Code>(code, ...params);
  return new UserError(said, { fields: [{ path, phrase: said }] });
}

/** Undefined for a fault of the program, and for system errors without a phrase. */
export function phraseOfError(error: unknown): Phrase | undefined {
  return error instanceof PhrasedError ? error.phrase : undefined;
}

/** EACCES, EROFS, ENOTDIR and the like, about a path. */
export function phraseOfSystemError(error: unknown): Phrase | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code) || typeof path !== "string") return undefined;
  return code === "ENOENT"
    ? phrase("storage.missing", { path })
    : phrase("storage.unusable", { path, errno: code });
}

/** Every error of the system, where only a disk can be meant. */
export function phraseOfDisk(error: unknown): Phrase | undefined {
  if (!isSystemError(error)) return undefined;
  return (
    phraseOfError(error) ?? phraseOfSystemError(error) ?? phrase("storage.disk", { errno: systemCode(error) })
  );
}
