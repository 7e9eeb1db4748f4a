// Why a model answers, as a phrase for people; or why none can, as a sentence with the next action.

import type { Words } from "../i18n/words.ts";
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

export function describeModelProblem(problem: ModelProblem, { noModel: words }: Words): string {
  const list = (names: string[]) => (names.length === 0 ? words.none : names.join(", "));
  if (problem.kind === "unknown-preset")
    return words.unknownPreset(quotable(problem.preset), list(problem.known));
  const what = describeLack(problem, words);
  return "configured" in problem ? `${what} ${words.configured(list(problem.configured))}` : what;
}

function describeLack(
  problem: Exclude<ModelProblem, { kind: "unknown-preset" }>,
  words: Words["noModel"],
): string {
  switch (problem.kind) {
    case "unknown-provider":
      return words.unknownHost(quotable(problem.provider), problem.nearest && quotable(problem.nearest));
    case "missing-key":
      return words.missingKey(quotable(problem.model), problem.host, problem.variable, problem.path);
    case "missing-base":
      return words.missingBase(quotable(problem.model), problem.host, problem.path);
    case "missing-script":
      return words.missingScript(problem.path);
    case "missing-model":
      return words.missingModel(problem.host, problem.path);
    case "no-host":
      return words.noHost(quotable(problem.model));
  }
}

function quotable(name: string): string {
  return toOneLine(name, 80);
}
