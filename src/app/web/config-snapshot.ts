// The whole config for a page: its schema, what the file says, what holds, where each comes from, and what waits for the
// next start. Nothing secret is in it.
import * as z from "zod";
import { toCanonical } from "../../config/canonical.ts";
import { fillFromEnvironment } from "../../config/environment.ts";
import type { HomePaths } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { maskSecrets } from "../../config/mask.ts";
import type { Problem } from "../../config/problem.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { collectSecrets } from "../../config/secrets.ts";
import { hasEffect } from "../../config/without-effect.ts";
import { say, type Words } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import { readJsonFile } from "../../lib/json-file.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { modelDefaultsSchema } from "../../llm/config.ts";
import { type ConfigNote, type ConfigSnapshot, maskedValue } from "../../server/protocol/config.ts";
import { findStateProblems } from "../state-problems.ts";

export interface SnapshotParts {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  words: Words;
  workspace?: string;
  /** As it was when the gateway started. */
  started: Config;
  canRestart: boolean;
}

/** What follows the file at once; everything else is fixed at the start. */
const live = [
  "providers",
  "modelPresets",
  "gateway.heartbeat.target",
  "agents.defaults.disabledSkills",
  ...Object.keys(modelDefaultsSchema.shape).map((key) => `agents.defaults.${key}`),
];
const mostWaiting = 100;

export async function readConfigSnapshot(parts: SnapshotParts): Promise<ConfigSnapshot> {
  const { paths, env, words, workspace, started, canRestart } = parts;
  const read = await readJsonFile(paths.config);
  const { value: file } = toCanonical(read.state === "read" ? read.value : {}, configSchema);
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: workspace });
  const mask = {
    mark: maskedValue,
    secrets: [...collectSecrets(file), ...(loaded.ok ? loaded.secrets : [])],
  };
  const state = loaded.ok ? await findStateProblems(paths, loaded.config.agents.defaults.workspace) : [];
  const { sources } = fillFromEnvironment(structuredClone(file), env, configSchema);
  return {
    schema: toFormSchema(),
    file: maskSecrets(file, mask),
    ...(loaded.ok && { values: maskSecrets(loaded.config as JsonObject, mask) }),
    variables: Object.fromEntries(sources),
    path: paths.config,
    problems: toNotes([...loaded.problems, ...state.map((phrase) => ({ path: "", phrase }))], words),
    warnings: toNotes(loaded.warnings, words),
    waiting: loaded.ok ? listWaiting(started, loaded.config) : [],
    canRestart,
  };
}

export function toNotes(problems: readonly Problem[], words: Words): ConfigNote[] {
  return problems.map(({ path, phrase }) => ({ path, message: say(phrase, words) }));
}

/** Without the keys that do nothing. */
function toFormSchema(): JsonObject {
  const isEmpty = ({ properties }: JsonObject) =>
    isRecord(properties) && Object.keys(properties).length === 0;
  function prune(schema: JsonObject, path: string[]): JsonObject {
    const { properties, additionalProperties: block } = schema;
    const kept = Object.entries(isRecord(properties) ? properties : {})
      .filter(([key]) => hasEffect([...path, key].join(".")))
      .map(([key, inner]): [string, JsonObject] => [key, prune(inner as JsonObject, [...path, key])])
      .filter(([, inner]) => !isEmpty(inner));
    return {
      ...schema,
      ...(isRecord(properties) && { properties: Object.fromEntries(kept) }),
      ...(isRecord(block) && { additionalProperties: prune(block, [...path, "<name>"]) }),
    };
  }
  return prune(z.toJSONSchema(configSchema, { io: "input" }), []);
}

function listWaiting(started: Config, present: Config): string[] {
  const changed = [...listChanges(started, present, [])].map((path) => path.join("."));
  const isLive = (path: string) => live.some((key) => path === key || path.startsWith(`${key}.`));
  return changed.filter((path) => !isLive(path)).slice(0, mostWaiting);
}

function* listChanges(before: unknown, after: unknown, path: string[]): Generator<string[]> {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* listChanges(before[key], after[key], [...path, key]);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) yield path;
}
