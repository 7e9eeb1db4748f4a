// Context windows that hosts reported, kept over restarts in a small file.
import * as z from "zod";
import type { Background } from "../../lib/background.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Log } from "../../lib/log.ts";
import { LearntWindows } from "../../llm/wrappers/with-window.ts";
import { StateFile } from "../../storage/files/state-file.ts";
import type { HomePaths } from "../../storage/home.ts";

interface WindowsParts {
  paths: HomePaths;
  /** The config names a window: only what this process learns counts. */
  isConfigured: boolean;
  background: Background;
  log: Log;
}

const mostKept = 200;
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
  const keep = (name: string, window: number) =>
    background.run("window-not-kept", () =>
      lock.run("", async () => {
        const { windows, ...others } = await read();
        const { [name]: before, ...rest } = windows;
        if (before === window) return;
        // The newest at the end.
        const rows = [...Object.entries(rest), [name, window] as const].slice(-mostKept);
        await file.write({ ...others, windows: Object.fromEntries(rows) });
      }),
    );
  if (isConfigured) return new LearntWindows([], keep);
  const { windows } = await read().catch((error: unknown) => {
    log.warn("windows-not-read", { error });
    return { windows: {} };
  });
  const known = Object.entries(windows).filter((row): row is [string, number] => isWindow(row[1]));
  return new LearntWindows(known, keep);
}

function isWindow(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
