// A sentence as data: a code of the catalogue with its parameters. It is made where something happens and rendered where
// a person reads it, in that person's language. Shared with the browser: imports nothing of Node.
import type { englishPhrases } from "./en/phrases/index.ts";

export type PhraseCatalogue = typeof englishPhrases;
export type PhraseCode = keyof PhraseCatalogue;

/** A phrase as a parameter of another one. Not `Phrase`: the catalogue's type would refer to itself. */
export interface InnerPhrase {
  code: string;
  params: object;
}

/** What every entry can use in addition to its parameters. */
export interface PhraseContext {
  /** The command by which a person calls this program here, such as `npx nanobot`. */
  program: string;
  say(phrase: InnerPhrase): string;
}

/** An entry without parameters is a string or takes `object`. */
export type PhraseParams<Code extends PhraseCode> = PhraseCatalogue[Code] extends (
  params: infer Params,
  ...rest: never[]
) => string
  ? Params
  : object;

type Phrases = { [Code in PhraseCode]: { code: Code; params: PhraseParams<Code> } };
export type Phrase = Phrases[PhraseCode];

/** Parameters may be left out where there are none. */
export type PhraseArguments<Code extends PhraseCode> =
  object extends PhraseParams<Code> ? [params?: PhraseParams<Code>] : [params: PhraseParams<Code>];

/** `NoInfer`: the code alone decides the types. Inferring it from the whole catalogue took the compiler minutes. */
export function phrase<Code extends PhraseCode>(
  code: Code,
  ...[params]: PhraseArguments<NoInfer<Code>>
): Phrases[NoInfer<Code>] {
  return { code, params: params ?? {} } as Phrases[Code];
}

export function renderPhrase(
  { code, params }: Phrase,
  catalogue: PhraseCatalogue,
  { program }: Pick<PhraseContext, "program">,
): string {
  const entry = catalogue[code] as string | ((params: object, context: PhraseContext) => string);
  if (typeof entry === "string") return entry;
  return entry(params, { program, say: (inner) => renderPhrase(inner as Phrase, catalogue, { program }) });
}

/** Checks a stored value, which another version may have written. */
export function isPhrase(value: unknown, catalogue: PhraseCatalogue): value is Phrase {
  const { code, params } = (value ?? {}) as Partial<InnerPhrase>;
  return (
    typeof code === "string" && isPhraseCode(code, catalogue) && typeof params === "object" && params !== null
  );
}

/** Whether a code that came over the wire is one of the catalogue; a newer gateway may know more of them. */
export function isPhraseCode(code: string, catalogue: PhraseCatalogue): code is PhraseCode {
  return Object.hasOwn(catalogue, code);
}
