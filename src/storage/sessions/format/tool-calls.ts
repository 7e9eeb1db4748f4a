// The calls and thinking blocks of a stored assistant message: those that a provider takes, the others dropped.
import { isRecord } from "../../../lib/is-record.ts";
import { parseJson } from "../../../lib/json-tree.ts";
import { isBlank } from "../../../lib/text.ts";
import type { ThinkingBlock, ToolCall } from "../../../llm/types.ts";

const longestName = 64;

/** Calls that are right come out as they are; a call without an id or a name is no call. */
export function toToolCalls(value: unknown): ToolCall[] {
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
export function toThinkingBlocks(value: unknown): ThinkingBlock[] {
  return Array.isArray(value) ? value.filter(isThinkingBlock) : [];
}

function isThinkingBlock(value: unknown): value is ThinkingBlock {
  if (!isRecord(value)) return false;
  if (value.type === "redacted_thinking") return typeof value.data === "string";
  const { signature } = value;
  const isSigned = signature === undefined || typeof signature === "string";
  return value.type === "thinking" && typeof value.thinking === "string" && isSigned;
}
