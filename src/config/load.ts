// Loads the config: the file, else its last good copy, else the defaults. Never throws for what a file holds, and never
// changes the file.
import { basename } from "node:path";
import { getIn } from "../lib/json-tree.ts";
import { serverSecrets } from "../mcp/secrets.ts";
import {
  keepLastGood,
  readConfigFile,
  readLastGood,
  takeConfigStamp,
} from "../storage/config/config-file.ts";
import type { JsonFile } from "../storage/files/json-file.ts";
import type { HomePaths } from "../storage/home.ts";
import { type MovedIn, readMovedIn } from "../storage/python/moved-in.ts";
import { type Interpretation, interpret } from "./interpret.ts";
import { type Problem, toProblem } from "./problem.ts";
import type { Config } from "./schema.ts";
import { collectSecrets } from "./secrets.ts";
import { leaveOutMissing } from "./variables.ts";

export interface LoadOptions {
  home: HomePaths;
  env: NodeJS.ProcessEnv;
  /** `--workspace`. */
  workspaceOverride?: string;
  /** What refers to a variable that is not set counts as not there: for an editor of the file. */
  leavesOutMissing?: boolean;
}

export interface LoadedConfig {
  ok: true;
  config: Config;
  /** Whether the file or the environment says something about a key, such as `agents.defaults.model`. */
  isSet(path: string): boolean;
  source: "file" | "last-good" | "defaults";
  /** Of the file that was read: one that was changed since has another. */
  stamp: string;
  warnings: Problem[];
  /** What is wrong with the file, when the last good copy is used instead. */
  problems: Problem[];
  /** Values for the redactor. */
  secrets: string[];
  /** Settings of the Python original that count as not set. */
  unchosen: string[];
  /** `--workspace` replaces the configured one. */
  isWorkspaceOverridden: boolean;
  /** The mark of an earlier start, if there was one. */
  movedIn?: MovedIn;
}

export interface FailedConfig {
  ok: false;
  problems: Problem[];
  warnings: Problem[];
}

export type LoadResult = LoadedConfig | FailedConfig;

export async function loadConfig(options: LoadOptions): Promise<LoadResult> {
  const { home } = options;
  // Before it is read: what is written from now on is noticed.
  const stamp = await takeConfigStamp(home);
  const [file, movedIn] = await Promise.all([readConfigFile(home), readMovedIn(home)]);
  const result = judge(file, options, movedIn);
  const loaded = toLoaded(result, file.state === "read" ? "file" : "defaults");
  const isWorkspaceOverridden = options.workspaceOverride !== undefined;
  if (loaded !== undefined) {
    const isGood = file.state === "read" && options.leavesOutMissing !== true;
    const kept = isGood ? await keepGood(home, file.text) : [];
    return { ...loaded, stamp, movedIn, isWorkspaceOverridden, warnings: [...loaded.warnings, ...kept] };
  }
  const { problems, warnings } = result;
  const copy = await readLastGood(home);
  const fallback = copy.state === "read" ? toLoaded(judge(copy, options, movedIn), "last-good") : undefined;
  if (fallback === undefined) return { ok: false, problems, warnings };
  const said = [sayLastGood(home), ...fallback.warnings];
  return { ...fallback, stamp, movedIn, isWorkspaceOverridden, problems, warnings: said };
}

function judge(read: JsonFile, options: LoadOptions, movedIn: MovedIn | undefined): Interpretation {
  if (read.state === "unreadable" || read.state === "invalid")
    return { problems: [{ path: "", phrase: read.fault }], warnings: [], given: {}, unchosen: [] };
  const value = read.state === "read" ? read.value : {};
  const used = options.leavesOutMissing === true ? leaveOutMissing(value, options.env) : value;
  return interpret({ ...options, value: used, movedIn });
}

function toLoaded(
  { config, given, warnings, unchosen }: Interpretation,
  source: LoadedConfig["source"],
): Omit<LoadedConfig, "stamp" | "movedIn" | "isWorkspaceOverridden"> | undefined {
  if (config === undefined) return undefined;
  return {
    ok: true,
    config,
    isSet: (path) => getIn(given, path.split(".")) !== undefined,
    source,
    warnings,
    problems: [],
    secrets: [...collectSecrets(given), ...Object.values(config.tools.mcpServers).flatMap(serverSecrets)],
    unchosen,
  };
}

/** Keeps a copy of the good file, for the day on which it is damaged. */
async function keepGood(home: HomePaths, text: string): Promise<Problem[]> {
  try {
    await keepLastGood(home, text);
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return [toProblem("", "config.copy-not-written", { copy: basename(home.lastGood), errno: code })];
  }
}

function sayLastGood({ config, lastGood }: HomePaths): Problem {
  const params = { file: basename(config), copy: basename(lastGood) };
  return toProblem("", "config.last-good", params);
}
