// Two requests of a session compared: how much of the last one the next one repeats byte for byte, which is what hosts
// cache, and where it stops doing so.
import { isDeepStrictEqual } from "node:util";
import type { Message, ToolDefinition } from "../llm/types.ts";
import type { NewEpochReason } from "./epoch.ts";
import { type Prefix, splitLayers } from "./prefix.ts";

export interface SentRequest {
  prefix: Prefix;
  /** Without the system message. */
  history: readonly Message[];
}

/** What both begin with. On the wire tools come first, then the system text, then the conversation. */
export interface SharedStart {
  tools: boolean;
  /** Characters of the system text. */
  system: number;
  /** Messages. */
  history: number;
}

export interface PrefixBreak {
  place: "start" | "tools" | "system" | "history" | "nowhere";
  why: NewEpochReason | "compressed";
  /** Where in the new system text the first difference stands. */
  layer?: string;
  line?: number;
  /** How many messages of the conversation are still the same. */
  messages?: number;
}

export interface NamedChange {
  name: string;
  change: "added" | "changed" | "removed";
}

export const nothingShared: SharedStart = { tools: false, system: 0, history: 0 };

export function compareRequests(last: SentRequest, next: SentRequest): SharedStart {
  if (JSON.stringify(last.prefix.tools) !== JSON.stringify(next.prefix.tools)) return nothingShared;
  const system = countShared(last.prefix.system, next.prefix.system);
  const isSame = last.prefix.system === next.prefix.system;
  const history = isSame ? countShared(last.history, next.history, isDeepStrictEqual) : 0;
  return { tools: true, system, history };
}

/** Undefined while the next request repeats all of the last one, in time for a host to remember it. */
export function findBreak(
  last: SentRequest,
  next: SentRequest,
  shared: SharedStart,
  why: NewEpochReason | undefined,
): PrefixBreak | undefined {
  if (why === "model-changed") return { place: "start", why };
  if (!shared.tools) return { place: "tools", why: why ?? "compressed" };
  if (last.prefix.system !== next.prefix.system) {
    return { place: "system", why: why ?? "compressed", ...locate(next.prefix, shared.system) };
  }
  if (shared.history < last.history.length) {
    return { place: "history", why: why ?? "compressed", messages: shared.history };
  }
  return why === undefined ? undefined : { place: "nowhere", why };
}

export function compareNames(last: Record<string, unknown>, next: Record<string, unknown>): NamedChange[] {
  const names = [...new Set([...Object.keys(last), ...Object.keys(next)])].sort();
  return names.flatMap((name): NamedChange[] => {
    if (!(name in last)) return [{ name, change: "added" }];
    if (!(name in next)) return [{ name, change: "removed" }];
    return isDeepStrictEqual(last[name], next[name]) ? [] : [{ name, change: "changed" }];
  });
}

export function compareTools(
  last: readonly ToolDefinition[],
  next: readonly ToolDefinition[],
): NamedChange[] {
  const byName = (tools: readonly ToolDefinition[]) =>
    Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  return compareNames(byName(last), byName(next));
}

function locate(prefix: Prefix, position: number): { layer?: string; line: number } {
  const layers = splitLayers(prefix);
  const layer = layers.findLast(({ start }) => start <= position);
  const before = prefix.system.slice(layer?.start ?? 0, position);
  return { ...(layer && { layer: layer.name }), line: before.split("\n").length };
}

function countShared<T>(
  a: ArrayLike<T>,
  b: ArrayLike<T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean = Object.is,
): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && isSame(a[count], b[count])) count++;
  return count;
}
