// What the choice of a model needs from a loaded config.
import type { ChooseModelInput } from "../llm/choice/choose-model.ts";
import { modelDefaultsSchema } from "../llm/config.ts";
import type { LoadedConfig } from "./load.ts";

const defaultModel = modelDefaultsSchema.shape.model.def.defaultValue;

/** The Python original writes its default model into every file: only another one was chosen by a user. */
export function toModelInput(
  { config, source }: LoadedConfig,
  environment: NodeJS.ProcessEnv,
): ChooseModelInput {
  const { defaults } = config.agents;
  return {
    defaults,
    presets: config.modelPresets,
    providers: config.providers,
    environment,
    isModelChosen: defaults.model !== defaultModel,
    hasConfig: source !== "defaults",
  };
}
