// Loads the config: the file, else its last good copy, else the defaults. Never throws for what a file holds, and never
// changes the file.
import { basename } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { getIn, type JsonObject } from "../lib/json-tree.ts";
import type { HomePaths } from "./home.ts";
import { type Interpretation, interpret } from "./interpret.ts";
import { type MovedIn, readMovedIn } from "./moved-in.ts";
import type { Problem, Warning } from "./problem.ts";
import { type ReadJson, readJsonObject } from "./read-json.ts";
import type { Config } from "./schema.ts";
import { collectSecrets } from "./secrets.ts";

export interface LoadOptions {
  home: HomePaths;
  env: NodeJS.ProcessEnv;
  /** `--workspace`. */
  workspaceOverride?: string;
}

export interface LoadedConfig {
  ok: true;
  config: Config;
  /** Whether the file or the environment says something about a key, such as `agents.defaults.model`. */
  isSet(path: string): boolean;
  source: "file" | "last-good" | "defaults";
  warnings: Warning[];
  /** What is wrong with the file, when the last good copy stands in for it. */
  problems: Problem[];
  /** Values for the redactor. */
  secrets: string[];
  /** Settings of the Python original that count as not set. */
  unchosen: string[];
  /** The mark of an earlier start, if there was one. */
  movedIn?: MovedIn;
}

export interface FailedConfig {
  ok: false;
  problems: Problem[];
  warnings: Warning[];
}

export type LoadResult = LoadedConfig | FailedConfig;

export async function loadConfig(options: LoadOptions): Promise<LoadResult> {
  const { home } = options;
  const [file, movedIn] = await Promise.all([readJsonObject(home.config), readMovedIn(home.movedIn)]);
  const result = judge(file, options, movedIn);
  if (result.config !== undefined) {
    const loaded = {
      ...toLoaded(result, result.config, file.state === "read" ? "file" : "defaults"),
      movedIn,
    };
    if (file.state === "read") loaded.warnings.push(...(await keepLastGood(home.lastGood, file.text)));
    return loaded;
  }
  const copy = await readJsonObject(home.lastGood);
  const fallback = copy.state === "read" ? judge(copy, options, movedIn) : undefined;
  if (fallback?.config === undefined)
    return { ok: false, problems: result.problems, warnings: result.warnings };
  const loaded = toLoaded(fallback, fallback.config, "last-good");
  return { ...loaded, movedIn, problems: result.problems, warnings: [sayLastGood(home), ...loaded.warnings] };
}

function judge(read: ReadJson, options: LoadOptions, movedIn: MovedIn | undefined): Interpretation {
  if (read.state === "broken") return { problems: read.problems, warnings: [], given: {}, unchosen: [] };
  const value: JsonObject = read.state === "read" ? read.value : {};
  return interpret({ ...options, value, movedIn });
}

function toLoaded(
  { given, warnings, unchosen }: Interpretation,
  config: Config,
  source: LoadedConfig["source"],
): LoadedConfig {
  return {
    ok: true,
    config,
    isSet: (path) => getIn(given, path.split(".")) !== undefined,
    source,
    warnings,
    problems: [],
    secrets: collectSecrets(given),
    unchosen,
  };
}

/** A copy of what was just found good, for the day on which the file is not. */
async function keepLastGood(path: string, text: string): Promise<Warning[]> {
  const present = await readJsonObject(path);
  if (present.state === "read" && present.text === text) return [];
  try {
    await writeFileAtomic(path, text, { mode: 0o600, forceMode: true });
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return [
      {
        kind: "not-kept",
        path: "",
        message: `the copy of the config, ${basename(path)}, could not be written (${code})`,
      },
    ];
  }
}

function sayLastGood({ config, lastGood }: HomePaths): Warning {
  const message = `${basename(config)} cannot be used as it is; nanobot goes on with the last good copy, ${basename(lastGood)}`;
  return { kind: "last-good", path: "", message };
}
