// What a person asked for and cannot have: a code with parameters. Catalogues turn it into a sentence at the edge.
import { type Phrase, type PhraseArguments, type PhraseCode, phrase } from "./phrase.ts";

/** What is wrong at one place of the params, for forms. */
export interface FieldProblem {
  /** Into the params, such as `schedule.at`. */
  path: string;
  phrase: Phrase;
}

/** An error that says of itself what a person is told. */
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
export function fail<Code extends PhraseCode>(code: Code, ...params: PhraseArguments<Code>): UserError {
  return new UserError(phrase(code, ...params));
}

/** The same, said at one field of a form, too. */
export function failAt<Code extends PhraseCode>(
  path: string,
  code: Code,
  ...params: PhraseArguments<Code>
): UserError {
  const said = phrase(code, ...params);
  return new UserError(said, { fields: [{ path, phrase: said }] });
}
