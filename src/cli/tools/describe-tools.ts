// What a person reads about a file with tools of one's own: its state, and what to do about it.
import type { OwnToolFile } from "../../app/build-own-tools.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { Words } from "../../words/words.ts";
import type { Style } from "../draw/style.ts";

export interface ToolFileReport extends Pick<OwnToolFile, "file" | "state" | "covers" | "tools"> {
  /** Why it is not used. */
  reason: string | null;
}

export function toReport(found: OwnToolFile, words: Words): ToolFileReport {
  const { file, state, covers, tools } = found;
  return { file, state, covers, tools, reason: describeReason(found, words) ?? null };
}

/** Undefined for a file that is used. */
function describeReason({ file, state, problem }: OwnToolFile, { tools }: Words): string | undefined {
  if (problem !== undefined) return revealLine(tools.problems[problem.kind](problem.subject));
  if (state === "new") return revealLine(tools.isNew(file));
  return state === "changed" ? revealLine(tools.isChanged(file)) : undefined;
}

/** `prices.ts  allowed  price_history: What ...`, or what is wrong. */
export function describeFile(report: OwnToolFile, words: Words, style: Style): string {
  const { file, state, problem } = report;
  const reason = describeReason(report, words);
  const isBroken = state === "allowed" && problem !== undefined;
  const told = report.tools.map(({ name, description }) => revealLine(`${name}: ${description}`)).join("; ");
  const paint =
    reason === undefined ? style.good : isBroken || state === "refused" ? style.bad : style.warning;
  return [
    style.bold(revealLine(file)),
    paint(words.tools.states[isBroken ? "broken" : state]),
    reason ?? told,
  ].join("  ");
}
