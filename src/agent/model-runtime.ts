// The model that a turn is bound to when it begins; a later change of the config only affects later turns.
import type { ModelSettings, Provider } from "../llm/types.ts";

export interface ModelRuntime {
  provider: Provider;
  settings: ModelSettings;
  /** For people and for epochs: host and model as one name. */
  name: string;
  host: string;
  contextWindow: number;
  /** Why this model was chosen, as a phrase for /status. */
  why: string;
}
