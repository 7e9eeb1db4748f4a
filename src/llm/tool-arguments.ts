// What models write where the arguments of a call should be, made into JSON text of an object; and calls that a model
// wrote as text because its host did not turn them into calls.
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { isBlank } from "../lib/text.ts";

const longestRepair = 1024 * 1024;
const mostTextCalls = 64;

/** Valid JSON of an object is kept byte for byte. */
export async function repairArguments(raw: string): Promise<string> {
  if (isBlank(raw)) return "{}";
  const parsed = parseJson(raw);
  if (isRecord(parsed)) return raw;
  if (parsed !== undefined) return JSON.stringify(toObject(parsed));
  return JSON.stringify(toObject((await repair(raw)) ?? raw));
}

async function repair(raw: string): Promise<unknown> {
  if (raw.length > longestRepair) return undefined;
  const { jsonrepair, JSONRepairError } = await import("jsonrepair");
  try {
    return JSON.parse(jsonrepair(raw));
  } catch (error) {
    // Nesting too deep for the repairer ends in a RangeError.
    const isHopeless =
      error instanceof JSONRepairError || error instanceof SyntaxError || error instanceof RangeError;
    if (isHopeless) return undefined;
    throw error;
  }
}

/** Encoded twice, or put in a list, it is still the object that was meant; anything else is kept where it can be seen. */
function toObject(value: unknown): object {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const inner = typeof value === "string" ? parseJson(value) : only;
  if (isRecord(inner)) return inner;
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return isEmpty ? {} : { input: value };
}

export interface TextCall {
  name: string;
  arguments: string;
}

export const textCallMark = "<tool_call>";
const textCallEnd = "</tool_call>";

/**
 * Calls in the form `<tool_call>{"name": "x", "arguments": {...}}</tool_call>`. Only those that name a tool on offer
 * count, so that a text about this form stays a text.
 */
export async function parseTextCalls(
  text: string,
  isTool: (name: string) => boolean,
): Promise<{ text: string; calls: TextCall[] }> {
  const calls: TextCall[] = [];
  const [head = "", ...pieces] = text.split(textCallMark);
  if (pieces.length > mostTextCalls) return { text, calls };
  const kept = [head];
  for (const piece of pieces) {
    const end = piece.indexOf(textCallEnd);
    const call = await readTextCall(end === -1 ? piece : piece.slice(0, end), isTool);
    if (call === undefined) kept.push(textCallMark + piece);
    else {
      calls.push(call);
      if (end !== -1) kept.push(piece.slice(end + textCallEnd.length));
    }
  }
  return calls.length === 0 ? { text, calls } : { text: kept.join("").trim(), calls };
}

async function readTextCall(json: string, isTool: (name: string) => boolean): Promise<TextCall | undefined> {
  const body = json.trim();
  if (!body.startsWith("{")) return undefined;
  const value = parseJson(body) ?? (await repair(body));
  if (!isRecord(value)) return undefined;
  const { name, arguments: given = {} } = value;
  if (typeof name !== "string" || !isTool(name)) return undefined;
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return { name, arguments: await repairArguments(text) };
}
