// The whole config for a page: its schema, what the file says, what is in effect, where each value comes from, and what
// waits for the next start. Holds no secret.
import * as z from "zod";
import { toCanonical } from "../../config/canonical.ts";
import { fillFromEnvironment } from "../../config/environment.ts";
import { loadConfig } from "../../config/load.ts";
import { maskedValue, maskSecrets } from "../../config/mask.ts";
import { type Problem, withoutKnown } from "../../config/problem.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { collectSecrets } from "../../config/secrets.ts";
import { hasEffect } from "../../config/without-effect.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { modelDefaultsSchema } from "../../llm/config.ts";
import { readJsonFile } from "../../storage/files/json-file.ts";
import { findStateProblems } from "../gateway/state-problems.ts";
import type { GatewayServices } from "../services.ts";

export interface ConfigSnapshot {
  /** JSON schema of the config, with descriptions and defaults. */
  schema: Record<string, unknown>;
  /** What the file says, secrets masked; references to variables as they are written. */
  file: Record<string, unknown>;
  /** What holds: of the file, the environment and the defaults, secrets masked. Absent when it cannot be used. */
  values?: Record<string, unknown>;
  /** Keys that an environment variable sets, such as `api.port`, with its name. */
  variables: Record<string, string>;
  /** Where the file is. */
  path: string;
  problems: Problem[];
  warnings: Problem[];
  /** Keys that were changed since the start and count only after the next one. */
  waiting: string[];
  canRestart: boolean;
}

type SnapshotServices = Pick<GatewayServices, "paths" | "env" | "started" | "gateway">;

/** What follows the file at once; everything else is fixed at the start. */
const live = [
  "providers",
  "modelPresets",
  "gateway.heartbeat.target",
  "agents.defaults.disabledSkills",
  ...Object.keys(modelDefaultsSchema.shape).map((key) => `agents.defaults.${key}`),
];
const mostWaiting = 100;

/** `faults` are known problems in addition to those of the file. */
export async function readSnapshot(
  { paths, env, started, gateway }: SnapshotServices,
  faults: readonly Problem[] = [],
): Promise<ConfigSnapshot> {
  const read = await readJsonFile(paths.config);
  const { value: file } = toCanonical(read.state === "read" ? read.value : {}, configSchema);
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: started.workspace });
  const mask = {
    mark: maskedValue,
    secrets: [...collectSecrets(file), ...(loaded.ok ? loaded.secrets : [])],
  };
  const { sources } = fillFromEnvironment(structuredClone(file), env, configSchema);
  const state = loaded.ok ? await findStateProblems(paths, loaded.config.agents.defaults.workspace) : [];
  const problems = [...loaded.problems, ...state.map((said): Problem => ({ path: "", phrase: said }))];
  return {
    schema: toFormSchema(),
    file: maskSecrets(file, mask),
    ...(loaded.ok && { values: maskSecrets(loaded.config as JsonObject, mask) }),
    variables: Object.fromEntries(sources),
    path: paths.config,
    problems: [...problems, ...withoutKnown(faults, problems)],
    warnings: loaded.warnings,
    waiting: loaded.ok ? listWaiting(started.config, loaded.config) : [],
    canRestart: gateway.restart !== undefined,
  };
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
