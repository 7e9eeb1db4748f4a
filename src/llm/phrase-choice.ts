// Why a model answers, or why none can, as coded phrases.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { toOneLine } from "../lib/text.ts";
import type { ChoiceReason } from "./model-choice.ts";
import type { ModelProblem } from "./model-problem.ts";

export function phraseChoice(why: ChoiceReason): Phrase {
  switch (why.kind) {
    case "chosen": {
      const { preset, variable } = why;
      return phrase("choice.chosen", { ...(preset && { preset }), ...(variable && { variable }) });
    }
    case "key-in-environment":
      return phrase("choice.key-in-environment", { variable: why.variable });
    case "no-model-named":
      return phrase("choice.no-model-named", { host: why.host });
    default:
      return phrase(`choice.${why.kind}`);
  }
}

export function phraseModelProblem({ kind, ...params }: ModelProblem): Phrase {
  const names = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? toOneLine(value, 80) : value,
  ]);
  return { code: `setup.${kind}`, params: Object.fromEntries(names) } as Phrase;
}
