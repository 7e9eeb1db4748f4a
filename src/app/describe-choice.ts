// Why a model answers, as a phrase for people; or why none can, as a sentence with the next action.

import type { Phrase } from "../i18n/phrase.ts";
import { say, type Words } from "../i18n/words.ts";
import { toOneLine } from "../lib/text.ts";
import type { ChoiceReason } from "../llm/model-choice.ts";
import type { ModelProblem } from "../llm/model-problem.ts";

export function describeChoice(why: ChoiceReason, { why: words }: Words): string {
  switch (why.kind) {
    case "chosen":
      if (why.preset !== undefined) return words.chosenByPreset(why.preset);
      return why.variable === undefined ? words.chosen : words.chosenWithVariable(why.variable);
    case "default-model":
      return words.defaultModel;
    case "host-in-config":
      return words.hostInConfig;
    case "key-in-environment":
      return words.keyInEnvironment(why.variable);
    case "no-config":
      return words.noConfig;
    case "no-usable-host":
      return words.noUsableHost;
    case "no-model-named":
      return words.noModelNamed(why.host);
  }
}

export function describeModelProblem(problem: ModelProblem, words: Words): string {
  return say(toModelPhrase(problem), words);
}

export function toModelPhrase({ kind, ...params }: ModelProblem): Phrase {
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? toOneLine(value, 80) : value,
  ]);
  return { code: `setup.${kind}`, params: Object.fromEntries(shown) } as Phrase;
}
