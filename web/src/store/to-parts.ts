// What is stored, as parts: a result goes to the call that it answers, what was said beside the entries to its time.
import type { Aside, Entry, OpenedSession, Said } from "../../../src/api/chat/wire.ts";
import type { AsidePart, Call, CallResult, Part, StepPart, UserPart } from "./conversation.ts";

export function toParts({
  entries,
  asides,
  said,
}: Pick<OpenedSession, "entries" | "asides" | "said">): Part[] {
  const results = new Map(entries.flatMap((entry) => (entry.callId ? [[entry.callId, entry] as const] : [])));
  const parts = entries.flatMap((entry) => toPart(entry, results));
  const beside = [...said.map(toUserPart), ...asides.map(toAsidePart)];
  return merge(
    parts,
    beside.toSorted((a, b) => a.at - b.at),
  );
}

export function toUserPart({
  turnId,
  at,
  text,
  isSystem = false,
  attachments = [],
}: Omit<Said, "type" | "channel">): UserPart {
  return { kind: "user", id: turnId, turn: turnId, at, text, isSystem, attachments, recalled: [] };
}

export function toAsidePart(aside: Aside): AsidePart {
  return { kind: "aside", id: aside.id, turn: aside.turnId, at: aside.at, aside };
}

function toPart(entry: Entry, results: ReadonlyMap<string, Entry>): Part[] {
  const { id, turn, at, text, isSystem = false, attachments = [], recalled = [] } = entry;
  if (entry.role === "user") return [{ kind: "user", id, turn, at, text, isSystem, attachments, recalled }];
  if (entry.role === "tool") return [];
  return [toStep(entry, results)];
}

function toStep(entry: Entry, results: ReadonlyMap<string, Entry>): StepPart {
  const { id, turn, at, text, reasoning = "", attachments = [], calls = [] } = entry;
  const withResults = calls.map((call): Call => {
    const result = results.get(call.id);
    return { ...call, progress: "", ...(result && { result: toResult(result) }) };
  });
  return {
    kind: "step",
    id,
    turn,
    at,
    text,
    reasoning,
    calls: withResults,
    attachments,
    isStored: true,
    ...(entry.usage && { usage: entry.usage }),
    ...(entry.cost && { cost: entry.cost }),
  };
}

function toResult({ id, text, isError = false, isCut, ms, attachments = [] }: Entry): CallResult {
  return { text, isError, attachments, ...(ms !== undefined && { ms }), ...(isCut && { cutFrom: id }) };
}

/** Each of `beside` before the first part that is younger. */
function merge(parts: readonly Part[], beside: readonly Part[]): Part[] {
  const merged: Part[] = [];
  let next = 0;
  for (const part of parts) {
    for (let other = beside[next]; other !== undefined && other.at < part.at; other = beside[++next])
      merged.push(other);
    merged.push(part);
  }
  return [...merged, ...beside.slice(next)];
}
