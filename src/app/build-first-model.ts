// The model that an assistant starts with: given by the program that embeds it, or chosen by the config.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import { toModelInput } from "../config/model-input.ts";
import { ProxyAddressError } from "../guards/proxy-fetch.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { chooseModel } from "../llm/choose-model.ts";
import type { ChoiceReason } from "../llm/model-choice.ts";
import { phraseChoice, phraseModelProblem } from "../llm/phrase-choice.ts";
import type { Provider } from "../llm/types.ts";
import { connectModel, type ModelParts } from "./build-model.ts";

export interface FirstModelParts extends ModelParts {
  /** Instead of the configured one. */
  provider?: Provider;
}

export interface BuiltModel {
  model: ModelRuntime;
  warnings: Phrase[];
}

/** A model that can be asked, or why there is none. */
export async function buildFirstModel(parts: FirstModelParts): Promise<BuiltModel | { phrase: Phrase }> {
  const { loaded, env, provider } = parts;
  if (provider !== undefined) return { model: toGivenModel(provider, parts), warnings: [] };
  const chosen = chooseModel(toModelInput(loaded, env));
  if (!chosen.ok) return { phrase: phraseModelProblem(chosen.problem) };
  try {
    const model = await connectModel(chosen, parts);
    return { model, warnings: explainOffline(chosen.choice.why) };
  } catch (error) {
    if (error instanceof ProxyAddressError) return error;
    throw error;
  }
}

/** A person who wrote a config and did not ask for the offline model is told why it answers. */
function explainOffline(why: ChoiceReason): Phrase[] {
  const isForWant = why.kind === "no-usable-host" || why.kind === "no-model-named";
  return isForWant ? [phrase("choice.offline", { reason: phraseChoice(why) })] : [];
}

function toGivenModel(provider: Provider, { loaded, count }: ModelParts): ModelRuntime {
  const { model, maxTokens, temperature, contextWindowTokens } = loaded.config.agents.defaults;
  const name = `given/${model}`;
  return {
    provider: count(name)(provider),
    settings: { model, maxTokens, temperature },
    name,
    host: "given",
    contextWindow: contextWindowTokens,
    why: phrase("choice.given"),
  };
}
