// Tool calls of a reply, put together from streamed fragments or from text, with repaired arguments; and ids for the wire.
// Handles hosts that leave out or repeat indexes, ids and names, or send them late.

import { hash } from "node:crypto";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { isBlank, toWellFormed } from "../../lib/text.ts";
import type { ModelEvent, ToolCall } from "../types.ts";
import { AnswerTooLong, mostCalls, toText } from "./chunk.ts";

interface Fragment {
  index?: number;
  id: string;
  name: string;
  json: string;
  extra?: unknown;
}

interface Draft extends Omit<Fragment, "json"> {
  pieces: string[];
  /** How often the arguments were checked for completeness. */
  checks: number;
}

const largestCheck = 1024 * 1024;

export function createToolCallDrafts() {
  const drafts: Draft[] = [];

  /** Fragments of one delta never belong to the same call, so `used` drafts are excluded. */
  function find(fragment: Fragment, used: ReadonlySet<Draft>): Draft | undefined {
    const { index, id } = fragment;
    const known = drafts.findLast((draft) =>
      index === undefined ? id !== "" && draft.id === id : draft.index === index,
    );
    const candidate = known ?? (index === undefined ? drafts.at(-1) : undefined);
    const isOther = candidate === undefined || used.has(candidate) || startsNewCall(candidate, fragment);
    return isOther ? undefined : candidate;
  }

  function open({ index }: Fragment): Draft {
    if (drafts.length === mostCalls) throw new AnswerTooLong(mostCalls, "calls");
    const draft: Draft = { index, id: "", name: "", pieces: [], checks: 0 };
    drafts.push(draft);
    return draft;
  }

  return {
    /** The `tool_calls` of one delta. */
    push(fragments: ReadonlyArray<Record<string, unknown>>): ModelEvent[] {
      const used = new Set<Draft>();
      return fragments.map((raw) => {
        const fragment = toFragment(raw);
        const draft = find(fragment, used) ?? open(fragment);
        used.add(draft);
        return extend(draft, fragment, drafts.indexOf(draft));
      });
    },
    isEmpty: () => drafts.length === 0,
    /** Calls with valid arguments and different ids; those without a name are only counted. */
    async settle(): Promise<{ calls: ToolCall[]; malformed: number }> {
      const named = drafts.filter(({ name }) => name !== "");
      const calls: ToolCall[] = [];
      for (const draft of named) calls.push(await toToolCall(draft, calls));
      return { calls, malformed: drafts.length - named.length };
    },
  };
}

function toFragment(raw: Record<string, unknown>): Fragment {
  // The older `function_call` has name and arguments at the top.
  const inner = isRecord(raw.function) ? raw.function : raw;
  const args = inner.arguments;
  return {
    index: typeof raw.index === "number" ? raw.index : undefined,
    id: toText(raw.id).trim(),
    name: toText(inner.name).trim(),
    json: typeof args === "string" ? args : isRecord(args) ? JSON.stringify(args) : "",
    extra: raw.extra_content,
  };
}

/** A fragment with a name repeats the name of the draft, or is the first of another call. */
function startsNewCall(draft: Draft, { id, name, json }: Fragment): boolean {
  if (name === "" || draft.name === "") return false;
  if (id !== "" && draft.id !== "" && id !== draft.id) return true;
  if (name !== draft.name && id === "") return true;
  return json.trimStart().startsWith("{") && isWhole(draft);
}

/** Bounded, because each check costs the length of the arguments. */
function isWhole(draft: Draft): boolean {
  draft.checks += 1;
  if (draft.checks > mostCalls) return false;
  const json = draft.pieces.join("");
  return json.length <= largestCheck && isRecord(parseJson(json));
}

function extend(draft: Draft, { id, name, json, extra }: Fragment, index: number): ModelEvent {
  if (draft.id === "") draft.id = id;
  const isNamed = draft.name === "" && name !== "";
  if (isNamed) draft.name = name;
  if (json !== "") draft.pieces.push(json);
  if (extra !== undefined) draft.extra = extra;
  return {
    type: "tool-call-delta",
    index,
    ...(isNamed ? { name } : {}),
    ...(json === "" ? {} : { argumentsDelta: json }),
  };
}

async function toToolCall(
  { id, name, pieces, extra }: Draft,
  before: readonly ToolCall[],
): Promise<ToolCall> {
  return {
    id: toFreeId(toWellFormed(id), before),
    type: "function",
    function: { name: toWellFormed(name), arguments: await repairArguments(toWellFormed(pieces.join(""))) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

function toFreeId(id: string, before: readonly ToolCall[]): string {
  let free = id === "" ? `call_${before.length}` : id;
  while (before.some((call) => call.id === free)) free += `_${before.length}`;
  return free;
}

const longestRepair = 1024 * 1024;
const mostTextCalls = 64;

/** The arguments as JSON text of an object; valid JSON of an object is kept byte for byte. */
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

/** An object that was encoded twice or put in a list is unwrapped; anything else is kept under `input`. */
function toObject(value: unknown): object {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const inner = typeof value === "string" ? parseJson(value) : only;
  if (isRecord(inner)) return inner;
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return isEmpty ? {} : { input: value };
}

interface TextCall {
  name: string;
  arguments: string;
}

const textCallMark = "<tool_call>";
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

/** Holds back streamed text from the first `<tool_call>` on, with the white space before it: at the end it may be calls. */
export function createTextCallFilter() {
  let held = "";
  let isHolding = false;
  return {
    /** What may be shown. */
    push(text: string): string {
      held += text;
      if (isHolding) return "";
      const start = findMark(held);
      isHolding = held.startsWith(textCallMark, start);
      const shown = start === held.length ? held : held.slice(0, start).trimEnd();
      held = held.slice(shown.length);
      return shown;
    },
    /** Text that was held back. */
    end: () => held,
  };
}

/** Where a mark begins, or may begin when more text comes; else the end. */
function findMark(text: string): number {
  const whole = text.indexOf(textCallMark);
  if (whole !== -1) return whole;
  const last = text.lastIndexOf("<");
  return last !== -1 && textCallMark.startsWith(text.slice(last)) ? last : text.length;
}

/** Key of `extra_content` under which a call keeps the id that its host gave it, where that says more than which call it is. */
export const hostIdKey = "host_call_id";
const longestHostId = 16 * 1024;

/** LiteLLM puts Gemini's thought signature into it; Kimi K2 wants `functions.name:0` back. Other ids are only names. */
export function isTellingId(id: string): boolean {
  return (
    /^[\x21-\x7e]+$/.test(id) && id.length <= longestHostId && (id.length > 64 || /[^A-Za-z0-9_-]/.test(id))
  );
}

export function readHostId({ extra_content: extra }: ToolCall): string | undefined {
  const id = isRecord(extra) ? extra[hostIdKey] : undefined;
  return typeof id === "string" && isTellingId(id) ? id : undefined;
}

export type IdAlphabet = "any" | "nine-alphanumeric" | "plain";

const accepted: Record<IdAlphabet, RegExp> = {
  // OpenAI: "string too long. Expected a string with maximum length 40"
  any: /^[\x21-\x7e]{1,40}$/,
  // Mistral: "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9."
  "nine-alphanumeric": /^[A-Za-z0-9]{9}$/,
  // Claude: "String should match pattern '^[a-zA-Z0-9_-]+$'"
  plain: /^[A-Za-z0-9_-]{1,40}$/,
};

/** The id in the alphabet and length that a host accepts: a pure function, so that a call and its result keep the same one. */
export function toWireId(id: string, alphabet: IdAlphabet): string {
  if (accepted[alphabet].test(id)) return id;
  if (alphabet === "plain") {
    const plain = id.replaceAll(".", "_");
    if (accepted.plain.test(plain)) return plain;
  }
  const digest = hash("sha256", id, "base64").replaceAll(/[^A-Za-z0-9]/g, "");
  return digest.slice(0, alphabet === "nine-alphanumeric" ? 9 : 24);
}
