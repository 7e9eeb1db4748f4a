// What a person reads about skills: a list, one of them in full, what was found in it.
import {
  phraseFinding,
  phraseNote,
  phraseReason,
  type SkillState,
  stateOf,
} from "../../app/skills/phrase-skill.ts";
import type { Words } from "../../i18n/words.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import type { SkillEntry } from "../../skills/skill.ts";
import type { Style } from "../draw/style.ts";
import { fitWidth, textWidth } from "../draw/text-width.ts";

export interface Look {
  words: Words;
  style: Style;
  columns: number;
}

export function listSkills(entries: SkillEntry[], { words, style, columns }: Look): string {
  const { states, sources } = words.skills;
  const rows = entries.map((entry) => ({
    name: revealLine(entry.name),
    state: stateOf(entry),
    source: sources[entry.source],
    text: revealLine(describeReasons(entry, words) ?? entry.description),
  }));
  const width = (of: (row: (typeof rows)[number]) => string) =>
    Math.max(0, ...rows.map((row) => textWidth(of(row))));
  const widths = {
    name: width(({ name }) => name),
    state: width(({ state }) => states[state]),
    source: width(({ source }) => source),
  };
  const left = Math.max(20, columns - widths.name - widths.state - widths.source - 7);
  return rows
    .map(({ name, state, source, text }) =>
      [
        style.bold(pad(name, widths.name)),
        paint(style, state)(pad(states[state], widths.state)),
        style.quiet(pad(source, widths.source)),
        fitWidth(text, left),
      ].join("  "),
    )
    .join("\n");
}

export function describeSkill(entry: SkillEntry, body: string, { words, style }: Look): string {
  const { skills } = words;
  const state = stateOf(entry);
  return [
    `${style.bold(revealLine(entry.name))}  ${paint(style, state)(skills.states[state])}  ${style.quiet(skills.sources[entry.source])}`,
    revealLine(entry.path),
    revealLine(entry.description),
    ...entry.reasons.map((reason) => style.bad(phraseReason(reason, words))),
    ...entry.findings.map((finding) => style.warning(phraseFinding(finding, words))),
    ...entry.notes.map((note) => style.quiet(phraseNote(note, words))),
    ...entry.files.map((file) => style.quiet(`  ${revealLine(file)}`)),
    "",
    reveal(body),
  ].join("\n");
}

/** Undefined for a skill that can be used. */
export function describeReasons({ reasons }: SkillEntry, words: Words): string | undefined {
  return reasons.length === 0 ? undefined : reasons.map((reason) => phraseReason(reason, words)).join("; ");
}

function paint(style: Style, state: SkillState): (text: string) => string {
  if (state === "ready" || state === "always") return style.good;
  return state === "blocked" ? style.bad : style.warning;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
