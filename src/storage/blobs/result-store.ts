// Full texts of long tool results, by scope, one folder for each session, kept for a while. Outside of what a model may
// write.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { systemCode } from "../../lib/process/system-code.ts";
import { makeFolder, removeFile, writeFileAtomic } from "../files/change-files.ts";
import type { HomePaths } from "../home.ts";
import type { Scope } from "../scope.ts";
import { resultsOf } from "../scope-folders.ts";

export interface ResultStoreOptions {
  paths: Pick<HomePaths, "toolResults">;
  clock: Clock;
  log: Log;
}

const keptDays = 7;
const keptBuckets = 32;
const pruneIntervalMs = 60 * 60 * 1000;

export class ResultStore {
  readonly #options: ResultStoreOptions;
  /** When each folder was looked through last. */
  readonly #pruned = new Map<string, number>();

  constructor(options: ResultStoreOptions) {
    this.#options = options;
  }

  /** Returns the path. A second result of the same call takes the place of the first. */
  async store(scope: Scope, call: { sessionKey: string; callId: string }, text: string): Promise<string> {
    const folder = resultsOf(this.#options.paths, scope);
    const bucket = join(folder, toFileName(call.sessionKey));
    await makeFolder(bucket);
    const path = join(bucket, `${toFileName(call.callId)}.txt`);
    await writeFileAtomic(path, text, { mode: 0o600, commits: false });
    await this.#pruneSoon(folder);
    return path;
  }

  /** All that was stored for a session. */
  async remove(scope: Scope, sessionKey: string): Promise<void> {
    await removeFile(join(resultsOf(this.#options.paths, scope), toFileName(sessionKey)));
  }

  async #pruneSoon(folder: string): Promise<void> {
    const { clock, log } = this.#options;
    if (clock.elapsed() - (this.#pruned.get(folder) ?? Number.NEGATIVE_INFINITY) < pruneIntervalMs) return;
    this.#pruned.set(folder, clock.elapsed());
    await prune(folder, clock.now()).catch((error) => log.warn("tool-results-not-pruned", { folder, error }));
  }
}

interface Bucket {
  path: string;
  /** When something was last stored in it. */
  usedAt: number;
}

/** Removes what is older than a week, then the buckets that were longest unused. */
async function prune(folder: string, now: number): Promise<void> {
  const buckets: Bucket[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    const usedAt = await pruneBucket(path, now - keptDays * 24 * 60 * 60 * 1000);
    if (usedAt === undefined) await removeFile(path);
    else buckets.push({ path, usedAt });
  }
  const tooMany = buckets.sort((a, b) => b.usedAt - a.usedAt).slice(keptBuckets);
  for (const { path } of tooMany) await removeFile(path);
}

/** The time of the newest file that stays, undefined if none does. */
async function pruneBucket(bucket: string, oldest: number): Promise<number | undefined> {
  let newest: number | undefined;
  for (const name of await readdir(bucket)) {
    const path = join(bucket, name);
    const changedAt = await changeTime(path);
    if (changedAt === undefined) continue;
    if (changedAt < oldest) await removeFile(path);
    else newest = Math.max(newest ?? 0, changedAt);
  }
  return newest;
}

async function changeTime(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Readable as far as it can be, and unique by a hash where something had to be left out. */
function toFileName(key: string): string {
  const safe = key
    .replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/^\.+/, "_")
    .slice(0, 60);
  if (safe === key) return safe;
  return `${safe}-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
}
