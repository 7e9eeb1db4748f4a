// One line of a session file: text to record and back. What a line lacks or has in the wrong type is corrected here, in
// memory only, so that all later code can trust the types.
import { isRecord } from "../../../lib/is-record.ts";
import { parseJson } from "../../../lib/json-tree.ts";
import { isBlank, stripBom } from "../../../lib/text.ts";
import type { ThinkingBlock, ToolCall } from "../../../llm/types.ts";
import { completePythonLine, isPythonLine } from "../../python/session-line.ts";
import { fromStored, fromStoredUrl, mapPaths, toStored, toStoredUrl } from "../../stored-path.ts";
import { type MetadataPatch, readMetadata, type SessionMetadata } from "../metadata.ts";
import { toContent, toText } from "./content.ts";
import { type JsonLine, toJsonLine } from "./json-line.ts";
import type { NewEntry } from "./message.ts";

export interface MetadataLine {
  type: "metadata";
  key: string | undefined;
  createdAt: string | undefined;
  updatedAt: string | undefined;
  metadata: SessionMetadata;
  /** Not yet held against the number of messages. */
  lastConsolidated: number;
}

export interface MessageLine {
  type: "message";
  /** In the order of the file, unknown ones included. */
  fields: Record<string, unknown>;
}

/** `other`: a record that is kept in the file and means nothing here, such as a provider's own state. */
export type SessionLine = MetadataLine | MessageLine | { type: "other" };

/** Undefined when the text is no record at all. */
export function parseLine(text: string): SessionLine | undefined {
  try {
    return toLine(JSON.parse(trimLine(text)));
  } catch (error) {
    // RangeError: nested so deeply that it could be read but never written again.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Without what a lost write leaves behind (NULs) and what editors add (a byte order mark). */
function trimLine(text: string): string {
  let start = 0;
  let end = text.trimEnd().length;
  while (text[start] === "\0") start++;
  while (end > start && text[end - 1] === "\0") end--;
  return stripBom(text.slice(start, end));
}

/** Changes the record, which must be a fresh one; undefined when it is none. */
export function toLine(record: unknown): SessionLine | undefined {
  if (!isRecord(record)) return undefined;
  if (record._type === "provider_state") return { type: "other" };
  if (record._type !== "metadata") return { type: "message", fields: settle(record) };
  return {
    type: "metadata",
    key: toOptionalText(record.key),
    createdAt: toOptionalText(record.created_at),
    updatedAt: toOptionalText(record.updated_at),
    metadata: readMetadata(record.metadata),
    lastConsolidated: toPosition(record.last_consolidated),
  };
}

function toOptionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function toPosition(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Changes the fresh record itself, so that fields that are right keep their bytes and their order. */
function settle(record: Record<string, unknown>): Record<string, unknown> {
  if (record.role === "assistant") settleAssistant(record);
  else if (record.role === "user" || record.role === "tool") record.content = toContent(record.content);
  else record.content = toText(record.content);
  if (record.role === "tool") {
    if (typeof record.tool_call_id !== "string") record.tool_call_id = "";
    if (typeof record.name !== "string") record.name = "";
  }
  // Our own lines hold their content as it was sent; nothing may be added to it.
  if (isPythonLine(record)) completePythonLine(record);
  if (record.role === "user") shareSuffix(record);
  return record;
}

/** The marker of the runtime context repeats the end of the content: in memory that is one text, not two. */
function shareSuffix({ content, _runtime_context: marker }: Record<string, unknown>): void {
  if (!isRecord(marker) || typeof marker.suffix !== "string" || typeof content !== "string") return;
  const { suffix } = marker;
  if (suffix !== "" && content.endsWith(suffix)) marker.suffix = content.slice(-suffix.length);
}

function settleAssistant(record: Record<string, unknown>): void {
  if (typeof record.content !== "string") record.content = toText(record.content) || null;
  if ("tool_calls" in record) replace(record, "tool_calls", toToolCalls(record.tool_calls));
  if ("thinking_blocks" in record)
    replace(record, "thinking_blocks", toThinkingBlocks(record.thinking_blocks));
  if ("reasoning_content" in record && typeof record.reasoning_content !== "string") {
    delete record.reasoning_content;
  }
}

function replace(record: Record<string, unknown>, field: string, list: unknown[]): void {
  if (list.length === 0) delete record[field];
  else record[field] = list;
}

export function formatMessage(
  { id, turn, message, extra }: NewEntry,
  at: number,
  timestamp: string,
): JsonLine {
  return toJsonLine({ ...message, ...extra, ...message, timestamp, id, turn, at });
}

export function formatMetadata(
  line: Omit<MetadataLine, "type" | "metadata"> & { metadata: MetadataPatch },
): JsonLine {
  return toJsonLine({
    _type: "metadata",
    key: line.key,
    created_at: line.createdAt,
    updated_at: line.updatedAt,
    metadata: line.metadata,
    last_consolidated: line.lastConsolidated,
  });
}

const longestName = 64;

/** Calls that are right come out as they are; a call without an id or a name is no call. */
function toToolCalls(value: unknown): ToolCall[] {
  return Array.isArray(value) ? value.flatMap((call) => toToolCall(call) ?? []) : [];
}

function toToolCall(value: unknown): ToolCall | undefined {
  if (!isRecord(value) || !isRecord(value.function)) return undefined;
  const { id, function: given, extra_content } = value;
  if (typeof id !== "string" || isBlank(id)) return undefined;
  if (typeof given.name !== "string" || isBlank(given.name)) return undefined;
  const name = toName(given.name);
  const text = toArguments(given.arguments);
  // Nested too deeply to be sent, it throws here, where the line is judged.
  if (extra_content !== undefined) JSON.stringify(extra_content);
  if (value.type === "function" && name === given.name && text === given.arguments) {
    return value as unknown as ToolCall;
  }
  return { ...value, id, type: "function", function: { ...given, name, arguments: text } };
}

/** OpenAI: "string does not match pattern ... '^[a-zA-Z0-9_-]+$'", with at most 64 characters. */
function toName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestName);
}

/** JSON text of an object, as providers that take arguments apart demand. */
function toArguments(value: unknown): string {
  if (isRecord(value)) return JSON.stringify(value);
  return typeof value === "string" && isRecord(parseJson(value)) ? value : "{}";
}

/** A block that Anthropic signed is checked byte for byte when it comes back: kept whole or left out. */
function toThinkingBlocks(value: unknown): ThinkingBlock[] {
  return Array.isArray(value) ? value.filter(isThinkingBlock) : [];
}

function isThinkingBlock(value: unknown): value is ThinkingBlock {
  if (!isRecord(value)) return false;
  if (value.type === "redacted_thinking") return typeof value.data === "string";
  const { signature } = value;
  const isSigned = signature === undefined || typeof signature === "string";
  return value.type === "thinking" && typeof value.thinking === "string" && isSigned;
}

/**
 * The paths in a message's line: in the file relative to the home, in memory absolute. Text that a model was shown is never
 * changed, also where it names a path. The `media` of the Python original's lines are absolute, as it needs them.
 */
export function toStoredEntry(home: string, { message, extra, ...entry }: NewEntry): NewEntry {
  const { content } = message;
  const stored = !Array.isArray(content)
    ? message
    : { ...message, content: mapImages(content, (url) => toStoredUrl(home, url)) };
  const attachments = mapPaths(extra?.attachments, (path) => toStored(home, path));
  const kept = attachments === undefined ? extra : { ...extra, attachments };
  return { ...entry, message: stored as NewEntry["message"], ...(kept && { extra: kept }) };
}

/** Changes the fields, which must be fresh ones. */
export function restorePaths(home: string, fields: Record<string, unknown>): void {
  const { content, attachments } = fields;
  if (Array.isArray(content)) fields.content = mapImages(content, (url) => fromStoredUrl(home, url));
  if (attachments !== undefined) fields.attachments = mapPaths(attachments, (path) => fromStored(home, path));
}

function mapImages(parts: readonly unknown[], change: (url: string) => string): unknown[] {
  return parts.map((part) => {
    if (!isRecord(part) || !isRecord(part.image_url) || typeof part.image_url.url !== "string") return part;
    const url = change(part.image_url.url);
    return url === part.image_url.url ? part : { ...part, image_url: { ...part.image_url, url } };
  });
}
