// What a person reads about a file with a custom tool or channel: its state, and what to do about it.
import type { ExtensionFile } from "../../api/extensions/extensions.ts";
import type { OwnCodeKind } from "../../api/extensions/own-code.ts";
import { say, type Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { Style } from "../draw/style.ts";

export interface OwnCodeReport extends Pick<ExtensionFile, "file" | "state" | "covers"> {
  /** In a file of tools. */
  tools?: ExtensionFile["offers"];
  /** In a file of a channel. */
  channel?: string | null;
  /** Why it is not used. */
  reason: string | null;
}

export function toReport(found: ExtensionFile, kind: OwnCodeKind, words: Words): OwnCodeReport {
  const { file, state, covers, offers, problem } = found;
  const reason = problem === undefined ? null : revealLine(say(problem, words));
  const offered = kind === "tools" ? { tools: offers } : { channel: offers[0]?.name ?? null };
  return { file, state, covers, ...offered, reason };
}

/** `prices.ts  allowed  price_history: What ...`, or what is wrong. */
export function describeFile(
  found: ExtensionFile,
  kind: OwnCodeKind,
  { words, style }: { words: Words; style: Style },
): string {
  const { file, state, offers } = found;
  const { reason } = toReport(found, kind, words);
  const isBroken = state === "allowed" && reason !== null;
  const told = offers.map(({ name, description }) =>
    revealLine(description === "" ? name : `${name}: ${description}`),
  );
  const paint = reason === null ? style.good : isBroken || state === "refused" ? style.bad : style.warning;
  return [
    style.bold(revealLine(file)),
    paint(words[kind].states[isBroken ? "broken" : state]),
    reason ?? told.join("; "),
  ].join("  ");
}
