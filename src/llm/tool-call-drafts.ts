// Tool calls put together from streamed fragments, for hosts that leave out the index, give the same index or the same
// id to parallel calls, repeat names and ids in every fragment, or send either of them late.
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { toWellFormed } from "../lib/text.ts";
import { AnswerTooLong, mostCalls } from "./answer-limit.ts";
import { toText } from "./json-value.ts";
import { repairArguments } from "./tool-arguments.ts";
import type { ModelEvent, ToolCall } from "./types.ts";

interface Fragment {
  index?: number;
  id: string;
  name: string;
  json: string;
  extra?: unknown;
}

interface Draft extends Omit<Fragment, "json"> {
  pieces: string[];
  /** How often it was asked whether the arguments are whole. */
  looks: number;
}

const largestLook = 1024 * 1024;

export function createToolCallDrafts() {
  const drafts: Draft[] = [];

  /** Fragments of one delta are never of the same call, so `used` ones are out of question. */
  function find(fragment: Fragment, used: ReadonlySet<Draft>): Draft | undefined {
    const { index, id } = fragment;
    const known = drafts.findLast((draft) =>
      index === undefined ? id !== "" && draft.id === id : draft.index === index,
    );
    const candidate = known ?? (index === undefined ? drafts.at(-1) : undefined);
    const isOther = candidate === undefined || used.has(candidate) || startsAnew(candidate, fragment);
    return isOther ? undefined : candidate;
  }

  function open({ index }: Fragment): Draft {
    if (drafts.length === mostCalls) throw new AnswerTooLong(mostCalls, "calls");
    const draft: Draft = { index, id: "", name: "", pieces: [], looks: 0 };
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
  const given = inner.arguments;
  return {
    index: typeof raw.index === "number" ? raw.index : undefined,
    id: toText(raw.id).trim(),
    name: toText(inner.name).trim(),
    json: typeof given === "string" ? given : isRecord(given) ? JSON.stringify(given) : "",
    extra: raw.extra_content,
  };
}

/** A fragment with a name may only repeat what the draft has, or be the first of a further call. */
function startsAnew(draft: Draft, { id, name, json }: Fragment): boolean {
  if (name === "" || draft.name === "") return false;
  if (id !== "" && draft.id !== "" && id !== draft.id) return true;
  if (name !== draft.name && id === "") return true;
  return json.trimStart().startsWith("{") && isWhole(draft);
}

/** Bounded, because each look costs the length of the arguments. */
function isWhole(draft: Draft): boolean {
  draft.looks += 1;
  if (draft.looks > mostCalls) return false;
  const json = draft.pieces.join("");
  return json.length <= largestLook && isRecord(parseJson(json));
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
