// The home of an installation as every program begins with it: a restore that was killed in the middle is finished first.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HomeOptions, type HomePaths, resolveHome } from "../storage/home.ts";

export async function openHome(options: HomeOptions, signal?: AbortSignal): Promise<HomePaths> {
  const paths = resolveHome(options);
  // Loaded only when it is needed: every command begins here.
  if (existsSync(join(paths.run, "restore.json")))
    await (await import("../storage/swap-home.ts")).finishSwap(paths.home, signal);
  return paths;
}
