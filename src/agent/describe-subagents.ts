// `/agents`: the subagents of a conversation, and the end of one.
import type { Words } from "../words/words.ts";
import { toShortId } from "./subagent-texts.ts";
import type { SubagentStatus } from "./subagents.ts";

export interface SubagentsContext {
  words: Words;
  now: number;
  subagents: {
    list(): SubagentStatus[];
    stop(id: string): void;
  };
}

export function runAgents({ words, now, subagents }: SubagentsContext, text: string): string {
  const all = subagents.list();
  const [, wanted] = /^stop\s+(\S+)$/i.exec(text) ?? [];
  if (wanted !== undefined) {
    const [found, another] = all.filter(({ id }) => id.endsWith(wanted.toLowerCase()));
    if (found === undefined || another !== undefined) return words.subagents.unknown(wanted);
    subagents.stop(found.id);
    return words.subagents.stopped(found.label);
  }
  if (text !== "") return words.subagents.usage;
  if (all.length === 0) return words.subagents.none;
  return all.map((status) => describeSubagent(status, { words, now })).join("\n");
}

function describeSubagent(
  { id, label, state, startedAt, step, toolCalls, lastCalls }: SubagentStatus,
  { words: { subagents: words }, now }: Pick<SubagentsContext, "words" | "now">,
): string {
  const seconds = Math.round((now - startedAt) / 1000);
  const progress = state === "waiting" ? words.waiting : words.progress(step, toolCalls);
  const row = words.row(toShortId(id), label, seconds, progress);
  return lastCalls.length === 0 ? row : `${row}\n  ${lastCalls.at(-1)}`;
}
