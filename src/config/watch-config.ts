// Notices that the config file was changed, by anyone and with any editor.
import type { Phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { takeConfigStamp } from "../storage/config/config-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { type LoadedConfig, type LoadOptions, loadConfig } from "./load.ts";
import type { Problem } from "./problem.ts";

const lookEveryMs = 2_000;

export interface WatchOptions {
  clock: Clock;
  signal: AbortSignal;
  /** The stamp of the file as it is used: what was changed since is noticed, however long ago that was. */
  inUse(): string;
  onChange(): Promise<void>;
}

/** Until the signal aborts. A change counts when the file has been the same for two looks: it may be half written. */
export async function watchConfig(
  paths: Pick<HomePaths, "config">,
  { clock, signal, inUse, onChange }: WatchOptions,
): Promise<void> {
  let known = inUse();
  let seen = await takeConfigStamp(paths);
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal).catch(() => {});
    const now = await takeConfigStamp(paths);
    if (now !== known && now === seen) {
      known = now;
      if (now !== inUse()) await onChange();
    }
    seen = now;
  }
}

/** The config that is in use, and the change to an edited one. */
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
