// What a person reads about a file with code of one's own: its state, and what to do about it.
import { findOwnProblem, type OwnCodeFile, type OwnCodeKind } from "../../api/extensions/own-code.ts";
import { say, type Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { Style } from "../draw/style.ts";

export interface OwnCodeReport extends Pick<OwnCodeFile, "file" | "state" | "covers"> {
  /** In a file of tools. */
  tools?: OwnCodeFile["offers"];
  /** In a file of a channel. */
  channel?: string | null;
  /** Why it is not used. */
  reason: string | null;
}

export function toReport(found: OwnCodeFile, kind: OwnCodeKind, words: Words): OwnCodeReport {
  const { file, state, covers, offers } = found;
  const reason = describeReason(found, kind, words) ?? null;
  const offered = kind === "tools" ? { tools: offers } : { channel: offers[0]?.name ?? null };
  return { file, state, covers, ...offered, reason };
}

/** Undefined for a file that is used. */
function describeReason(found: OwnCodeFile, kind: OwnCodeKind, words: Words): string | undefined {
  const reason = findOwnProblem(found, kind);
  return reason === undefined ? undefined : revealLine(say(reason, words));
}

/** `prices.ts  allowed  price_history: What ...`, or what is wrong. */
export function describeFile(
  found: OwnCodeFile,
  kind: OwnCodeKind,
  { words, style }: { words: Words; style: Style },
): string {
  const { file, state, problem, offers } = found;
  const reason = describeReason(found, kind, words);
  const isBroken = state === "allowed" && problem !== undefined;
  const told = offers.map(({ name, description }) =>
    revealLine(description === "" ? name : `${name}: ${description}`),
  );
  const paint =
    reason === undefined ? style.good : isBroken || state === "refused" ? style.bad : style.warning;
  return [
    style.bold(revealLine(file)),
    paint(words[kind].states[isBroken ? "broken" : state]),
    reason ?? told.join("; "),
  ].join("  ");
}
