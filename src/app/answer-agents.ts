// `/agents`: the subagents of a conversation, and the end of one.
import { toShortId } from "../agent/subagent-texts.ts";
import type { SubagentStatus } from "../agent/subagents.ts";
import type { Words } from "../i18n/words.ts";
import { toOneLine } from "../lib/text.ts";

export interface SubagentsQuestion {
  /** What stands behind `/agents`. */
  text: string;
  /** Of the conversation. */
  all: readonly SubagentStatus[];
  stop(id: string): void;
}

export function answerAgents({ text, all, stop }: SubagentsQuestion, words: Words, now: number): string {
  const [, wanted] = /^stop\s+(\S+)$/i.exec(text) ?? [];
  if (wanted !== undefined) {
    const [found, another] = all.filter(({ id }) => id.endsWith(wanted.toLowerCase()));
    if (found === undefined || another !== undefined) return words.subagents.unknown(toOneLine(wanted, 40));
    stop(found.id);
    return words.subagents.stopped(found.label);
  }
  if (text !== "") return words.subagents.usage;
  if (all.length === 0) return words.subagents.none;
  return all.map((status) => describeSubagent(status, words, now)).join("\n");
}

function describeSubagent(
  { id, label, state, startedAt, step, toolCalls, lastCalls }: SubagentStatus,
  { subagents: words }: Words,
  now: number,
): string {
  const seconds = Math.round((now - startedAt) / 1000);
  const progress = state === "waiting" ? words.waiting : words.progress(step, toolCalls);
  const row = words.row(toShortId(id), label, seconds, progress);
  return lastCalls.length === 0 ? row : `${row}\n  ${lastCalls.at(-1)}`;
}
