// Context windows and longest answers that hosts reported, kept over restarts in a small file.
import * as z from "zod";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import type { Background } from "../../lib/process/background.ts";
import { LearntWindows, type ModelLimits } from "../../llm/wrappers/with-window.ts";
import { StateFile } from "../../storage/files/state-file.ts";
import type { HomePaths } from "../../storage/home.ts";

interface WindowsParts {
  paths: HomePaths;
  /** The config names a window: only what this process learns counts. */
  isConfigured: boolean;
  background: Background;
  log: Log;
}

const mostKept = 500;
const tokens = z.int().positive();
const limitsSchema = z.object({ window: tokens.optional(), answer: tokens.optional() });
/** A number alone is a window, as earlier versions wrote it. */
const rowSchema = z.union([tokens.transform((window) => ({ window })), limitsSchema]);
const rowsSchema = z.looseObject({ windows: z.record(z.string(), z.unknown()) });

export async function openWindows({
  paths,
  isConfigured,
  background,
  log,
}: WindowsParts): Promise<LearntWindows> {
  const file = new StateFile(paths.windows);
  const lock = new KeyedLock();
  const read = async () => {
    const { value } = await file.read();
    return rowsSchema.safeParse(value).data ?? { ...value, windows: {} };
  };
  const keep = (rows: ReadonlyArray<[string, ModelLimits]>) =>
    background.run("window-not-kept", () =>
      lock.run("", async () => {
        const { windows, ...others } = await read();
        for (const [name] of rows) delete windows[name];
        // The newest at the end.
        const kept = [...Object.entries(windows), ...rows].slice(-mostKept);
        await file.write({ ...others, windows: Object.fromEntries(kept) });
      }),
    );
  if (isConfigured) return new LearntWindows([], keep);
  const { windows } = await read().catch((error: unknown) => {
    log.warn("windows-not-read", { error });
    return { windows: {} };
  });
  const known = Object.entries(windows).flatMap(([name, row]): Array<[string, ModelLimits]> => {
    const { data } = rowSchema.safeParse(row);
    return data === undefined ? [] : [[name, data]];
  });
  return new LearntWindows(known, keep);
}
