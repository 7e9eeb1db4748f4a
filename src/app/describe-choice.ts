// Why a model answers, as a phrase for people.

import type { ChoiceReason } from "../llm/model-choice.ts";
import type { Words } from "../words/words.ts";

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
