// Changes the config file: what it holds stays, unknown keys and references to variables included. Never replaces a file
// that it could not read or would not accept.
import { basename } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import { type JsonObject, ownValue, setOwn } from "../lib/json-tree.ts";
import { simplifyProviderName } from "../llm/config.ts";
import { readConfigFile, replaceConfigFile } from "../storage/config/config-file.ts";
import { keepCopy } from "../storage/files/change-files.ts";
import { StateFileError } from "../storage/files/state-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { type MovedIn, readMovedIn, removeUnchosen, writeMovedIn } from "../storage/python/moved-in.ts";
import { toCanonical } from "./canonical.ts";
import { interpret } from "./interpret.ts";
import { type Problem, toProblem, withoutKnown } from "./problem.ts";
import { configSchema } from "./schema.ts";

/** Nested keys in camelCase: objects are merged, null removes a key, everything else replaces. */
export type ConfigPatch = JsonObject;

/** Takes the file's content in camelCase and returns what it should be. May be called more than once. */
export type ConfigEdit = (config: JsonObject) => JsonObject;

export interface SaveOptions {
  home: HomePaths;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  change: ConfigPatch | ConfigEdit;
}

export type SaveResult = { ok: true } | { ok: false; problems: Problem[] };

const mostAttempts = 5;
const queues = new Map<string, Promise<unknown>>();

/** Saves of one process follow one another; one by another process is noticed and merged, but for the last instant. */
export function saveConfig(options: SaveOptions): Promise<SaveResult> {
  const { config } = options.home;
  const before = queues.get(config) ?? Promise.resolve();
  const save = before.then(() => saveNow(options));
  const settled = save.then(
    () => undefined,
    () => undefined,
  );
  queues.set(config, settled);
  return save;
}

async function saveNow({ home, env, clock, change }: SaveOptions): Promise<SaveResult> {
  const movedIn = await readMovedIn(home);
  for (let attempt = 1; ; attempt++) {
    const read = await readConfigFile(home);
    if (read.state === "unreadable" || read.state === "invalid")
      return { ok: false, problems: [{ path: "", phrase: read.fault }] };
    const present = read.state === "read" ? read : undefined;
    const next = applyChange(present?.value ?? {}, change, movedIn);
    const known = findOutOfRange(present?.value ?? {}, { home, env });
    const problems = withoutKnown(findProblems(next, { home, env }), known);
    if (problems.length > 0) return { ok: false, problems };
    const again = await readConfigFile(home);
    const isUnchanged =
      again.state === read.state && (again.state !== "read" || again.text === present?.text);
    if (!isUnchanged && attempt < mostAttempts) continue;
    const isForeign = present !== undefined && movedIn?.isWritten !== true;
    return await write(next, { home, clock, isForeign });
  }
}

/** The Python original's open defaults go: once the file is ours, they would count as wanted. */
function applyChange(
  value: JsonObject,
  change: ConfigPatch | ConfigEdit,
  movedIn: MovedIn | undefined,
): JsonObject {
  const { value: canonical } = toCanonical(value, configSchema);
  removeUnchosen(canonical, movedIn);
  return typeof change === "function"
    ? change(canonical)
    : merge(canonical, alignProviders(change, canonical));
}

function merge(present: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...present };
  for (const [key, value] of Object.entries(patch)) {
    const old = ownValue(present, key);
    if (value === null) delete merged[key];
    else setOwn(merged, key, isRecord(value) ? merge(isRecord(old) ? old : {}, value) : value);
  }
  return merged;
}

/** A host that the file spells otherwise (`lmStudio`, `lm_studio`) is changed in place, not added a second time. */
function alignProviders(patch: ConfigPatch, present: JsonObject): ConfigPatch {
  const { providers } = patch;
  if (!isRecord(providers) || !isRecord(present.providers)) return patch;
  const names = Object.keys(present.providers);
  const aligned = Object.entries(providers).map(([name, block]) => {
    const wanted = simplifyProviderName(name);
    return [names.find((known) => simplifyProviderName(known) === wanted) ?? name, block];
  });
  return { ...patch, providers: Object.fromEntries(aligned) };
}

/** Numbers of the file that count as their defaults: another change does not make them worse. */
function findOutOfRange(value: JsonObject, places: Pick<SaveOptions, "home" | "env">): Problem[] {
  return withoutKnown(findProblems(value, places), findProblems(value, places, { isStrict: false }));
}

/** Judges the file alone. A variable that is not set here may be set where the program runs. */
function findProblems(
  value: JsonObject,
  { home, env }: Pick<SaveOptions, "home" | "env">,
  { isStrict } = { isStrict: true },
): Problem[] {
  const named = Object.entries(env).filter(([name]) => !name.startsWith("NANOBOT_"));
  const { problems } = interpret({
    value,
    home,
    env: Object.fromEntries(named),
    movedIn: { unset: [], isWritten: true },
    isStrict,
  });
  return problems.filter(({ phrase: { code } }) => code !== "config.variable-not-set");
}

async function write(
  value: JsonObject,
  { home, clock, isForeign }: Pick<SaveOptions, "home" | "clock"> & { isForeign: boolean },
): Promise<SaveResult> {
  try {
    if (isForeign) await keepCopy(home.config, { home, clock });
    await replaceConfigFile(home, value);
    await writeMovedIn(home, { unset: [], isWritten: true });
    return { ok: true };
  } catch (error) {
    if (error instanceof StateFileError) return { ok: false, problems: [{ path: "", phrase: error.phrase }] };
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const params = { file: basename(home.config), errno: code };
    return { ok: false, problems: [toProblem("", "config.not-written", params)] };
  }
}
