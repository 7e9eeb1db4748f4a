// What can be wrong with a config, as data: a place and a coded sentence, never a value.

import { isDeepStrictEqual } from "node:util";
import { type Phrase, type PhraseArguments, type PhraseCode, phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import { createRedactor } from "../lib/redact.ts";
import { toOneLine } from "../lib/text.ts";

/** As a problem it keeps the config from being used; as a warning it is only worth knowing. */
export interface Problem {
  /** Of a setting, of a file in the home, or a variable; empty when the whole config is meant. */
  path: string;
  phrase: Phrase;
}

export function toProblem<Code extends PhraseCode>(
  path: string,
  code: Code,
  ...params: PhraseArguments<NoInfer<Code>>
): Problem {
  return { path, phrase: phrase(code, ...params) };
}

/** Those that are not among the others, too. */
export function withoutKnown(problems: readonly Problem[], known: readonly Problem[]): Problem[] {
  return problems.filter((problem) => !known.some((other) => isDeepStrictEqual(other, problem)));
}

/** With its path, for where there is no other place for it. */
export function toPlacedPhrase({ path, phrase: reason }: Problem): Phrase {
  return phrase("config.at", { path, reason });
}

/** Lines for the terminal, each with its path. */
export function tellProblems(problems: readonly Problem[], words: Words): string[] {
  return problems.map((problem) => say(toPlacedPhrase(problem), words));
}

const shapes = createRedactor();
const longestName = 60;

/** `providers.openai.apiKey`, `fallbackModels[0].model`. A name that looks like a secret is not shown. */
export function toPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((whole, part) => {
    if (typeof part === "number") return `${whole}[${part}]`;
    return `${whole}${whole === "" ? "" : "."}${toName(String(part))}`;
  }, "");
}

/** A key as it may be shown: one line, bounded, without control characters. */
export function toName(key: string): string {
  if (shapes.redact(key) !== key) return "<redacted>";
  return toOneLine(key.toWellFormed().replaceAll(/\p{C}/gu, "?"), longestName);
}
