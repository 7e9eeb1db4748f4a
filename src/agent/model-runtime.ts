// The model that a turn is bound to when it begins; a later change of the config only affects later turns.

import type { Phrase } from "../i18n/phrase.ts";
import type { ImageLimits } from "../llm/image-limits.ts";
import type { ModelSettings, Provider } from "../llm/types.ts";
import { toWindow, type Window } from "../memory/fit.ts";

export interface ModelRuntime {
  provider: Provider;
  settings: ModelSettings;
  /** For people and for epochs: host and model as one name. */
  name: string;
  host: string;
  contextWindow: number;
  /** Tokens that its host, or one that stands in for it, said to take when it refused a request; undefined: never. */
  learntWindow?(): number | undefined;
  /** It only follows rules: what needs understanding is not asked of it. */
  isOffline?: boolean;
  /** What the host takes, and those that stand in for it. */
  imageLimits?: ImageLimits;
  /** Why it was chosen; a part of a sentence. */
  why: Phrase;
}

/** What a turn may take of the model now. */
export function windowOf({ contextWindow, learntWindow, settings }: ModelRuntime): Window {
  return toWindow(Math.min(contextWindow, learntWindow?.() ?? contextWindow), settings.maxTokens);
}
