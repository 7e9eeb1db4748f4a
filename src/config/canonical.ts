// One spelling for every key: snake_case becomes camelCase, older names become the present ones. Values are not touched,
// and what is not known stays where it is, so that a file can be written back without loss.
import type * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import { type JsonObject, ownValue, placeIfFree, setOwn } from "../lib/json-tree.ts";
import { findNearest } from "../lib/language/nearest.ts";
import { type Problem, toName, toPath, toProblem } from "./problem.ts";
import { toNodeFor } from "./schema-node.ts";

/** Older names and places, and the current ones. A value at the new place wins. */
const movedKeys = new Map([
  ["agents.defaults.sessionTtlMinutes", "agents.defaults.idleCompactAfterMinutes"],
  ["agents.defaults.dream.model", "agents.defaults.dream.modelOverride"],
  ["channels.transcriptionLanguage", "transcription.language"],
  ["channels.transcriptionProvider", "transcription.provider"],
  ["tools.allowLocalPreviewAccess", "tools.webuiAllowLocalServiceAccess"],
  ["tools.exec.restrictToWorkspace", "tools.restrictToWorkspace"],
  ["tools.myEnabled", "tools.my.enable"],
  ["tools.mySet", "tools.my.allowSet"],
  // As other clients write it.
  ["mcpServers", "tools.mcpServers"],
  ["tools.mcpServers.*.serverUrl", "tools.mcpServers.*.url"],
  ["tools.mcpServers.*.httpUrl", "tools.mcpServers.*.url"],
  ["tools.mcpServers.*.transport", "tools.mcpServers.*.type"],
]);

/** Keys without effect that files of the Python original or editors hold: not worth a warning. */
const silentKeys = new Set([
  "$schema",
  "agents.defaults.maxMessages",
  "agents.defaults.memoryWindow",
  "channels.extractDocumentText",
]);

const mostWarnings = 50;

export interface Canonical {
  value: JsonObject;
  warnings: Problem[];
  /** Paths of keys that nobody knows. */
  unknown: PropertyKey[][];
}

interface Walk {
  warnings: Problem[];
  unknown: PropertyKey[][];
  moves: Array<{ to: readonly string[]; value: unknown }>;
}

export function toCanonical(raw: JsonObject, schema: z.ZodType): Canonical {
  const first = walkOnce(raw, schema);
  if (first.moves.length === 0) return first;
  // A moved key is checked again in its new place.
  const { value, unknown, warnings } = walkOnce(first.value, schema);
  const doubles = first.warnings.filter(({ phrase: { code } }) => code === "config.double-key");
  return { value, unknown, warnings: [...doubles, ...warnings] };
}

function walkOnce(raw: JsonObject, schema: z.ZodType): Canonical & Walk {
  const walk: Walk = { warnings: [], unknown: [], moves: [] };
  const value = rename(raw, schema, [], walk) as JsonObject;
  for (const move of walk.moves) placeIfFree(value, move.to, move.value);
  return { ...walk, value };
}

/** `max_tokens` -> `maxTokens`. */
export function toCamelCase(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

function rename(value: unknown, schema: z.ZodType, path: readonly PropertyKey[], walk: Walk): unknown {
  const node = toNodeFor(schema, value);
  if (node.kind === "section" && isRecord(value)) return renameSection(value, node, path, walk);
  if (node.kind === "blocks" && isRecord(value)) {
    const blocks = Object.entries(value).map(([name, block]) => [
      name,
      rename(block, node.block, [...path, name], walk),
    ]);
    return Object.fromEntries(blocks);
  }
  if (node.kind === "list" && Array.isArray(value)) {
    return value.map((item, index) => rename(item, node.item, [...path, index], walk));
  }
  return value;
}

function renameSection(
  section: JsonObject,
  node: { keys: Record<string, z.ZodType>; isOpen: boolean },
  path: readonly PropertyKey[],
  walk: Walk,
): JsonObject {
  const renamed: JsonObject = {};
  for (const [key, value] of Object.entries(section)) {
    const name = Object.hasOwn(node.keys, key) ? key : toCamelCase(key);
    const inner = ownValue(node.keys, name);
    if (inner === undefined) {
      const target = findMoved([...path, name].map(String));
      if (target !== undefined) {
        walk.moves.push({ to: target, value });
        continue;
      }
      setOwn(renamed, key, value);
      const isBlock = node.isOpen && (isRecord(value) || value === null);
      if (!isBlock) noteUnknown([...path, key], Object.keys(node.keys), walk);
      continue;
    }
    if (name !== key && Object.hasOwn(section, name)) {
      walk.warnings.push(toProblem(toPath([...path, key]), "config.double-key", { name }));
      continue;
    }
    setOwn(renamed, name, rename(value, inner, [...path, name], walk));
  }
  return renamed;
}

/** The new place of a key; `*` is a name that the user chose. */
function findMoved(path: readonly string[]): readonly string[] | undefined {
  const [start, section, name = "", ...rest] = path;
  const known = movedKeys.get(path.join(".")) ?? movedKeys.get([start, section, "*", ...rest].join("."));
  return known?.split(".").map((part) => (part === "*" ? name : part));
}

function noteUnknown(path: PropertyKey[], known: string[], walk: Walk): void {
  walk.unknown.push(path);
  const isSilent = silentKeys.has(toCamelCase(path.join(".")));
  if (isSilent || walk.warnings.length === mostWarnings) return;
  const nearest = findNearest(String(path.at(-1)), known);
  const hint = nearest === undefined ? {} : { nearest: toName(nearest) };
  walk.warnings.push(toProblem(toPath(path), "config.unknown-key", hint));
}
