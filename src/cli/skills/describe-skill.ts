// What a person reads about skills: a list, one of them in full, what was found in it.

import { reveal, revealLine } from "../../lib/visible-text.ts";
import type { SkillEntry, SkillFinding, SkillNote, SkillReason } from "../../skills/skill.ts";
import type { Words } from "../../words/words.ts";
import type { Style } from "../draw/style.ts";
import { fitWidth, textWidth } from "../draw/text-width.ts";

export interface Look {
  words: Words;
  style: Style;
  columns: number;
}

type State = keyof Words["skills"]["states"];

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
    ...entry.reasons.map((reason) => style.bad(revealLine(phraseReason(reason, words)))),
    ...describeFindings(entry.findings, words).map((line) => style.warning(line)),
    ...entry.notes.map((note) => style.quiet(revealLine(phraseNote(note, words)))),
    ...entry.files.map((file) => style.quiet(`  ${revealLine(file)}`)),
    "",
    reveal(body),
  ].join("\n");
}

export function describeFindings(findings: SkillFinding[], { skills }: Words): string[] {
  return findings.map(({ rule, file, line, excerpt }) => {
    const place = line === 0 ? file : `${file}:${line}`;
    return revealLine(`${place}: ${skills.rules[rule]}${excerpt === "" ? "" : ` (${excerpt})`}`);
  });
}

/** Undefined for a skill that can be used. */
export function describeReasons({ reasons }: SkillEntry, words: Words): string | undefined {
  return reasons.length === 0 ? undefined : reasons.map((reason) => phraseReason(reason, words)).join("; ");
}

export function phraseNote({ kind, subject }: SkillNote, { skills }: Words): string {
  const phrase = skills.notes[kind];
  return typeof phrase === "string" ? phrase : phrase(subject);
}

function phraseReason({ kind, subject }: SkillReason, { skills }: Words): string {
  return skills.reasons[kind](subject);
}

function stateOf({ always, available, blocked, disabled }: SkillEntry): State {
  if (available) return always ? "always" : "ready";
  if (disabled) return "off";
  return blocked ? "blocked" : "unusable";
}

function paint(style: Style, state: State): (text: string) => string {
  if (state === "ready" || state === "always") return style.good;
  return state === "blocked" ? style.bad : style.warning;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
