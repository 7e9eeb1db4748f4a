// What a server offers, read page by page and made fit for our use: bounded, cleaned, without duplicates. A single odd
// entry never spoils the others.

import { createHash } from "node:crypto";
import { isRecord } from "../lib/is-record.ts";
import { type JsonObject, ownValue } from "../lib/json-tree.ts";
import type { Log } from "../lib/log.ts";
import type { JsonSchema } from "../llm/types.ts";
import type { OpenedClient } from "./open-client.ts";
import { type ParamHeader, readParamHeaders } from "./param-headers.ts";
import { ServerError } from "./problem.ts";
import { cleanText, normaliseSchema } from "./schema.ts";

/** A tool, resource or prompt of a server. */
export interface Entry {
  kind: EntryKind;
  /** As the server calls it. */
  name: string;
  description: string;
  schema: JsonSchema;
  aliases: Record<string, string>;
  /** What the server says of itself: it changes nothing, or nothing more the second time. */
  isReadOnly: boolean;
  isIdempotent: boolean;
  /** It reaches nobody but itself. */
  isLocal?: boolean;
  /** Of a resource. */
  uri?: string;
  /** Of a resource whose address has parts to be filled in: RFC 6570. */
  template?: string;
  /** Arguments that go along as headers; only over HTTP, by the newer protocol. */
  headers?: ParamHeader[];
}

const longestTemplatesMs = 3_000;
const mostPages = 50;
const most: Record<EntryKind, number> = { tool: 500, resource: 100, prompt: 100 };
const longestDescription = 2_000;
const longestName = 300;

interface ListOptions {
  client: OpenedClient;
  timeoutMs: number;
  log: Log;
}

/** Rejects when the tools cannot be listed; resources and prompts that cannot are left out. */
export async function readServerList(options: ListOptions): Promise<Entry[]> {
  const { client } = options;
  const [tools, resources, templates, prompts] = await Promise.all([
    client.offers("tools") ? readPages(options, "tools", most.tool) : [],
    client.offers("resources") ? readOptional(options, "resources", most.resource) : [],
    client.offers("resources") ? readTemplates(options) : [],
    client.offers("prompts") ? readOptional(options, "prompts", most.prompt) : [],
  ]);
  const entries = [
    ...tools.map((raw) => toTool(raw, client.takesHeaders)),
    ...resources.map(toResource),
    ...templates.map(toTemplate),
    ...prompts.map(toPrompt),
  ];
  const known = entries.filter((entry) => entry !== undefined);
  const byName = new Map(known.toReversed().map((entry) => [`${entry.kind} ${entry.name}`, entry]));
  return [...byName.values()].sort((a, b) => compare(`${a.kind} ${a.name}`, `${b.kind} ${b.name}`));
}

/** Few servers have any, and some do not even answer: tools are not kept waiting for them. */
function readTemplates(options: ListOptions): Promise<JsonObject[]> {
  const timeoutMs = Math.min(options.timeoutMs, longestTemplatesMs);
  return readOptional({ ...options, timeoutMs }, "resources/templates", most.resource);
}

async function readOptional(options: ListOptions, what: string, limit: number): Promise<JsonObject[]> {
  try {
    return await readPages(options, what, limit);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    options.log.warn("mcp-list-left-out", { what, problem: error.problem });
    return [];
  }
}

/** Ends at a page that was there before, too: some servers never stop. */
async function readPages(
  { client, timeoutMs }: ListOptions,
  what: string,
  limit: number,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (items.length < limit && seen.size < mostPages) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request(`${what}/list`, params, { timeout: timeoutMs });
    const list = page[what === "resources/templates" ? "resourceTemplates" : what];
    items.push(...(Array.isArray(list) ? list.slice(0, limit) : []).filter(isRecord));
    const next = page.nextCursor;
    if (typeof next !== "string" || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return items.slice(0, limit);
}

function toTool(raw: JsonObject, takesHeaders: boolean): Entry | undefined {
  const headers = takesHeaders ? readParamHeaders(raw.inputSchema) : [];
  if (headers === undefined) return undefined;
  const annotations = isRecord(raw.annotations) ? raw.annotations : {};
  const isReadOnly = annotations.readOnlyHint === true;
  const isIdempotent = isReadOnly || annotations.idempotentHint === true;
  const about = readText(raw, "description") || readText(raw, "title") || readText(annotations, "title");
  const entry = toEntry("tool", raw, {
    ...normaliseSchema(raw.inputSchema),
    about,
    isReadOnly,
    isIdempotent,
    isLocal: annotations.openWorldHint === false,
  });
  return entry && headers.length > 0 ? { ...entry, headers } : entry;
}

function toResource(raw: JsonObject): Entry | undefined {
  const uri = readText(raw, "uri");
  if (uri === "" || uri.length > longestName) return undefined;
  const named = { ...raw, name: readText(raw, "name") || uri };
  const about = [readText(raw, "description") || readText(raw, "title"), `Reads ${uri}.`].join(" ");
  const entry = toEntry("resource", named, { ...normaliseSchema({ additionalProperties: false }), about });
  return entry && { ...entry, uri };
}

/** Its parts are what the model fills in. */
function toTemplate(raw: JsonObject): Entry | undefined {
  const template = readText(raw, "uriTemplate");
  if (template === "" || template.length > longestName) return undefined;
  const parts = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const names = [...new Set(parts.map((part) => part.replace(/[*:].*$/, "").trim()))].slice(0, 20);
  if (names.length === 0) return undefined;
  const schema = {
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
    additionalProperties: false,
  };
  const about = [readText(raw, "description") || readText(raw, "title"), `Reads ${template}.`].join(" ");
  const named = { ...raw, name: readText(raw, "name") || template };
  const entry = toEntry("resource", named, { ...normaliseSchema(schema), about });
  return entry && { ...entry, template };
}

function toPrompt(raw: JsonObject): Entry | undefined {
  const list = Array.isArray(raw.arguments) ? raw.arguments.filter(isRecord) : [];
  const named = list.filter((argument) => typeof argument.name === "string").slice(0, 50);
  const schema = {
    properties: Object.fromEntries(
      named.map(({ name, description }) => [name, { type: "string", description }]),
    ),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
  const about = `${readText(raw, "description") || readText(raw, "title")} (A prompt that the server wrote.)`;
  return toEntry("prompt", raw, { ...normaliseSchema(schema), about });
}

interface Details extends Pick<Entry, "schema" | "aliases"> {
  about: string;
  isReadOnly?: boolean;
  isIdempotent?: boolean;
  isLocal?: boolean;
}

function toEntry(kind: EntryKind, raw: JsonObject, details: Details): Entry | undefined {
  const name = readText(raw, "name");
  if (name === "" || name.length > longestName) return undefined;
  const { about, isReadOnly = true, isIdempotent = true, isLocal = false, schema, aliases } = details;
  const description = cleanText(about, longestDescription) || name;
  return { kind, name, description, schema, aliases, isReadOnly, isIdempotent, ...(isLocal && { isLocal }) };
}

function readText(raw: JsonObject, key: string): string {
  const value = ownValue(raw, key);
  return typeof value === "string" ? value : "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

export type EntryKind = "tool" | "resource" | "prompt";

export interface Named {
  server: string;
  kind: EntryKind;
  name: string;
}

const longestToolName = 64;

/** `mcp_<server>_<tool>`, in the alphabet and length that every model host accepts. */
export function wrapName({ server, kind, name }: Named): string {
  const middle = kind === "tool" ? "" : `${kind}_`;
  const whole = `mcp_${server}_${middle}${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").replaceAll(/_+/g, "_");
  return whole.length <= longestToolName ? whole : withMark(whole, whole);
}

/**
 * Each with its name. Where several would share one, all of them get a mark: if only the later ones did, a name could come to
 * mean another tool.
 */
export function assignNames<T extends Named>(entries: readonly T[]): Map<string, T> {
  const groups = Map.groupBy(entries, wrapName);
  const named = [...groups].flatMap(([name, group]): Array<[string, T]> => {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return [[name, only]];
    return group.map((entry) => [withMark(name, `${entry.server}\0${entry.kind}\0${entry.name}`), entry]);
  });
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `enabledTools` names tools as the server does or as we do; `*` means all, and is needed for resources and prompts. */
export function isEnabled(entry: Named, enabledTools: readonly string[]): boolean {
  if (enabledTools.includes("*")) return true;
  return (
    entry.kind === "tool" && (enabledTools.includes(entry.name) || enabledTools.includes(wrapName(entry)))
  );
}

function withMark(name: string, source: string): string {
  const mark = createHash("sha1").update(source).digest("hex").slice(0, 8);
  return `${name.slice(0, longestToolName - 9)}_${mark}`;
}
