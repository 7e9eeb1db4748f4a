// Notices that the config file was changed, whoever did it and however their editor writes files.
import { stat } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import { ignoreMissing } from "../lib/plain-file.ts";

const lookEveryMs = 2_000;

/** Until the signal aborts. A change counts when the file has been the same for two looks: it may be half written. */
export async function watchConfig(
  path: string,
  { clock, signal, onChange }: { clock: Clock; signal: AbortSignal; onChange(): Promise<void> },
): Promise<void> {
  let known = await stampOf(path);
  let seen = known;
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal).catch(() => {});
    const now = await stampOf(path);
    if (now !== known && now === seen) {
      known = now;
      await onChange();
    }
    seen = now;
  }
}

async function stampOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(ignoreMissing);
  return info === undefined ? "" : `${info.ino}:${info.size}:${info.mtimeNs}`;
}
