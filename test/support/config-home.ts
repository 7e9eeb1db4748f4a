// A home in a temporary folder with a config file, and the config loaded from it.
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { type FailedConfig, type LoadedConfig, type LoadResult, loadConfig } from "../../src/config/load.ts";
import { moveIn } from "../../src/config/moving-in.ts";
import type { Problem } from "../../src/config/problem.ts";
import type { InnerPhrase } from "../../src/i18n/phrase.ts";
import { type HomePaths, resolveHome } from "../../src/storage/home.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface ConfigHome {
  paths: HomePaths;
  load(env?: NodeJS.ProcessEnv, workspaceOverride?: string): Promise<LoadResult>;
  readConfig(): Promise<string>;
}

/** `config` as text, bytes, or a value to be written as JSON; without it there is no file. */
export async function createConfigHome(
  config?: unknown,
  files: Record<string, string> = {},
): Promise<ConfigHome> {
  const isRaw = typeof config === "string" || config instanceof Uint8Array;
  const content = isRaw ? config : JSON.stringify(config);
  const home = await createTemporaryFolder({
    ...files,
    ...(config === undefined ? {} : { "config.json": content }),
  });
  const paths = resolveHome({ env: { NANOBOT_HOME: home } });
  return {
    paths,
    load: (env = {}, workspaceOverride) => loadConfig({ home: paths, env, workspaceOverride }),
    readConfig: () => readFile(paths.config, "utf8"),
  };
}

/** The same for a home in which this program has started before. */
export async function createOwnHome(
  config?: unknown,
  files: Record<string, string> = {},
): Promise<ConfigHome> {
  const mark = JSON.stringify({ version: 1, unset: [], isWritten: true });
  return await createConfigHome(config, { "run/moved-in.json": mark, ...files });
}

/** Findings as data in one line each: the path, the code, and what fills it. */
export function toLines(problems: readonly Problem[]): string[] {
  return problems.map(({ path, phrase }) => [path, toLine(phrase)].filter(Boolean).join(" "));
}

function toLine({ code, params }: InnerPhrase): string {
  const values = Object.values(params).map((value) => (isInner(value) ? toLine(value) : String(value)));
  return [code, ...values].join(" ");
}

function isInner(value: unknown): value is InnerPhrase {
  return typeof value === "object" && value !== null && "code" in value;
}

export function asLoaded(result: LoadResult): LoadedConfig {
  expect(result.ok ? [] : result.problems).toEqual([]);
  return result as LoadedConfig;
}

export function asFailed(result: LoadResult): FailedConfig {
  expect(result.ok).toBe(false);
  return result as FailedConfig;
}

/** One start of the program: load, then move in. */
export async function start(home: ConfigHome, env: NodeJS.ProcessEnv = {}) {
  const load = asLoaded(await home.load(env));
  const moved = await moveIn({ home: home.paths, load, clock: createFakeClock() });
  return { load, moved };
}
