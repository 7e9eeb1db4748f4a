// The model that a turn is bound to when it begins; a later change of the config only affects later turns.
import type { ImageLimits } from "../llm/image-limits.ts";
import type { ModelSettings, Provider } from "../llm/types.ts";
import type { Words } from "../words/words.ts";

export interface ModelRuntime {
  provider: Provider;
  settings: ModelSettings;
  /** For people and for epochs: host and model as one name. */
  name: string;
  host: string;
  contextWindow: number;
  /** It only follows rules: what needs understanding is not asked of it. */
  isOffline?: boolean;
  /** What the host takes, and those that stand in for it. */
  imageLimits?: ImageLimits;
  /** Why this model was chosen, as a phrase for /status. */
  describeWhy(words: Words): string;
}
