// The next request of a session compared with the last one: how much of it is repeated byte for byte, which is what hosts
// cache, where that ends, and which files and tools have changed in between.
import { isDeepStrictEqual } from "node:util";
import type { Message, ToolDefinition } from "../llm/types.ts";
import type { NewEpochReason } from "./epoch.ts";
import { type Prefix, splitLayers } from "./prefix.ts";

export interface SentRequest {
  prefix: Prefix;
  /** Without the system message. */
  history: readonly Message[];
}

/** What both have in common, each counted from its own beginning: characters of system text, messages. */
export interface SharedStart {
  tools: boolean;
  system: number;
  isSameSystem: boolean;
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

export const nothingShared: SharedStart = { tools: false, system: 0, isSameSystem: false, history: 0 };

export function compareRequests(last: SentRequest, next: SentRequest): SharedStart {
  return {
    tools: isDeepStrictEqual(last.prefix.tools, next.prefix.tools),
    system: countShared(last.prefix.system, next.prefix.system),
    isSameSystem: last.prefix.system === next.prefix.system,
    history: countShared(last.history, next.history, isDeepStrictEqual),
  };
}

/** Undefined while the next request repeats all of the last one, in time for a host to remember it. */
export function findBreak(
  last: SentRequest,
  next: SentRequest,
  { tools, system, isSameSystem, history }: SharedStart,
  reason: NewEpochReason | undefined,
): PrefixBreak | undefined {
  const why = reason ?? "compressed";
  if (why === "model-changed") return { place: "start", why };
  // On the wire tools come first, then the system text, then the conversation.
  if (!tools) return { place: "tools", why };
  if (!isSameSystem) return { place: "system", why, ...locate(next.prefix, system) };
  if (history < last.history.length) return { place: "history", why, messages: history };
  return reason && { place: "nowhere", why };
}

function locate(prefix: Prefix, position: number): Pick<PrefixBreak, "layer" | "line"> {
  const layer = splitLayers(prefix).findLast(({ start }) => start <= position);
  const before = prefix.system.slice(layer?.start ?? 0, position);
  return { layer: layer?.name ?? "", line: before.split("\n").length };
}

export function compareNames(last: Record<string, unknown>, next: Record<string, unknown>): NamedChange[] {
  const names = [...new Set([...Object.keys(last), ...Object.keys(next)])].sort();
  return names.flatMap((name): NamedChange[] => {
    if (!(name in last)) return [{ name, change: "added" }];
    if (!(name in next)) return [{ name, change: "removed" }];
    return isDeepStrictEqual(last[name], next[name]) ? [] : [{ name, change: "changed" }];
  });
}

export function byName(tools: readonly ToolDefinition[]): Record<string, ToolDefinition> {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
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
