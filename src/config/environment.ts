// Environment variables such as NANOBOT_API__PORT: they fill what the file does not set. Not the references in strings.
import type * as z from "zod";
import { isRecord } from "../lib/is-record.ts";
import {
  deepestJson,
  getIn,
  isDeeperThan,
  type JsonObject,
  ownValue,
  parseJson,
  placeIfFree,
  setOwn,
} from "../lib/json-tree.ts";
import { simplifyProviderName } from "../llm/config.ts";
import { toCamelCase, toCanonical } from "./canonical.ts";
import { type Problem, toProblem } from "./problem.ts";
import { type SchemaNode, toNode } from "./schema-node.ts";
import { isDoor } from "./variables.ts";

const prefix = "NANOBOT_";

/** An installer's variable that only looks like a section. */
const foreign = new Set(["NANOBOT_CHANNELS"]);

/** A variable of the Python original that is a config key here; there, nothing or less means no limit. */
const requestsVariable = "NANOBOT_MAX_CONCURRENT_REQUESTS";

export interface Filled {
  /** Config paths and the variable each was filled from. */
  sources: Map<string, string>;
  problems: Problem[];
  warnings: Problem[];
}

interface Setting {
  variable: string;
  segments: string[];
  text: string;
}

/** Fills `config` in place. */
export function fillFromEnvironment(config: JsonObject, env: NodeJS.ProcessEnv, schema: z.ZodType): Filled {
  const filled: Filled = { sources: new Map(), problems: [], warnings: [] };
  for (const setting of findSettings(env, schema)) {
    const { path, node } = toKeys(setting.segments, schema, config);
    const value = readValue(setting.text, node);
    if (value === undefined) {
      const isIgnored = !isDoor(path);
      const params = { variable: setting.variable, isIgnored };
      const problem = toProblem(path.join("."), "config.variable-not-json", params);
      (isIgnored ? filled.warnings : filled.problems).push(problem);
      continue;
    }
    const { value: canonical, warnings } = toCanonical(nest(path, value), schema);
    const isFree = getIn(config, path) === undefined;
    for (const [section, content] of Object.entries(canonical)) placeIfFree(config, [section], content);
    if (isFree) filled.sources.set(path.join("."), setting.variable);
    filled.warnings.push(...warnings.map((warning) => ({ ...warning, path: setting.variable })));
  }
  return filled;
}

/** The more exact a variable, the sooner it takes its place. */
function findSettings(env: NodeJS.ProcessEnv, schema: z.ZodType): Setting[] {
  const root = toNode(schema);
  const sections = root.kind === "section" ? root.keys : {};
  const settings = Object.entries(env).flatMap(([variable, text]) => {
    if (!variable.startsWith(prefix) || foreign.has(variable) || !text) return [];
    if (variable === requestsVariable) {
      const turns = Number(text) <= 0 ? "0" : text;
      return [{ variable, segments: ["AGENTS", "DEFAULTS", "MAX_CONCURRENT_TURNS"], text: turns }];
    }
    const segments = variable.slice(prefix.length).split("__");
    const isSection = Object.hasOwn(sections, toKey(segments[0] ?? ""));
    return segments.length > 1 || isSection ? [{ variable, segments, text }] : [];
  });
  return settings.sort((a, b) => b.segments.length - a.segments.length);
}

function toKeys(
  segments: string[],
  schema: z.ZodType,
  config: JsonObject,
): { path: string[]; node?: SchemaNode } {
  const path: string[] = [];
  let node: SchemaNode | undefined = toNode(schema);
  for (const segment of segments) {
    if (node?.kind === "map") {
      path.push(segment);
      node = { kind: "value", type: "text" };
    } else if (node?.kind === "blocks") {
      path.push(presentName(getIn(config, path), segment));
      node = toNode(node.block);
    } else {
      const key = toKey(segment);
      path.push(key);
      const inner: z.ZodType | undefined = node?.kind === "section" ? ownValue(node.keys, key) : undefined;
      node = inner === undefined ? undefined : toNode(inner);
    }
  }
  return { path, node };
}

/** LM_STUDIO is the block that the file calls `lmStudio`. */
function presentName(blocks: unknown, segment: string): string {
  const wanted = simplifyProviderName(segment);
  const present = isRecord(blocks) ? Object.keys(blocks) : [];
  return present.find((name) => simplifyProviderName(name) === wanted) ?? segment.toLowerCase();
}

function toKey(segment: string): string {
  return toCamelCase(segment.toLowerCase());
}

/** Sections and lists are JSON; undefined when they are not. Single values stay text, to be cast with the file's. */
function readValue(text: string, node: SchemaNode | undefined): unknown {
  if (node?.kind === "value") return text;
  const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (parsed !== undefined && !isDeeperThan(parsed, deepestJson)) return parsed;
  return node === undefined ? text : undefined;
}

function nest(path: readonly string[], value: unknown): JsonObject {
  const [key = "", ...rest] = path;
  const root: JsonObject = {};
  setOwn(root, key, rest.length === 0 ? value : nest(rest, value));
  return root;
}
