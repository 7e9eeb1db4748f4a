// Notices that the config file was changed, by anyone and with any editor.

import type { Clock } from "../lib/clock.ts";
import { takeConfigStamp } from "../storage/config/config-file.ts";
import type { HomePaths } from "../storage/home.ts";

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
