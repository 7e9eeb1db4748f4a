// The config that is in use, and the change to an edited one.
import type { Phrase } from "../i18n/phrase.ts";
import { type LoadedConfig, type LoadOptions, loadConfig } from "./load.ts";
import type { Problem } from "./problem.ts";

export class CurrentConfig {
  readonly #options: LoadOptions;
  #loaded: LoadedConfig;

  constructor(options: LoadOptions, loaded: LoadedConfig) {
    this.#options = options;
    this.#loaded = loaded;
  }

  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  /** Uses the file as it is now, unless it has problems or `accept` refuses it. Nothing changes then. */
  async reload(accept: (loaded: LoadedConfig) => Promise<Phrase | undefined>): Promise<Problem[]> {
    const fresh = await loadConfig(this.#options);
    if (!fresh.ok || fresh.problems.length > 0) return fresh.problems;
    const refusal = await accept(fresh);
    if (refusal !== undefined) return [{ path: "", phrase: refusal }];
    this.#loaded = fresh;
    return [];
  }
}
