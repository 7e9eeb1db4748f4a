// Skills as the terminal shows them: the list, one skill, and what is wrong with it.
import { describeWants } from "../../api/skills/describe-wants.ts";
import type { ShownSkill, SkillCard, SkillState } from "../../api/skills/skill-view.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import type { SkillFinding, SkillNote, SkillReason } from "../../skills/skill.ts";
import type { Style } from "../draw/style.ts";
import { fitWidth, textWidth } from "../draw/text-width.ts";

export interface Look {
  words: Words;
  style: Style;
  columns: number;
}

export function listSkills(skills: SkillCard[], { words, style, columns }: Look): string {
  const { states, sources } = words.skills;
  const rows = skills.map((skill) => ({
    name: skill.name,
    state: skill.state,
    source: sources[skill.source],
    text: describeReasons(skill, words) ?? say(skill.about, words),
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

export function describeSkill(skill: ShownSkill, { words, style }: Omit<Look, "columns">): string {
  const { states, sources } = words.skills;
  const { name, state, source } = skill;
  return [
    `${style.bold(name)}  ${paint(style, state)(states[state])}  ${style.quiet(sources[source])}`,
    skill.path,
    say(skill.about, words),
    ...skill.reasons.map((reason) => style.bad(describeReason(reason, words))),
    ...skill.findings.map((finding) => style.warning(describeFinding(finding, words))),
    ...skill.notes.map((note) => style.quiet(describeNote(note, words))),
    ...describeWants(skill, words).map((line) => style.quiet(line)),
    ...skill.files.map((file) => style.quiet(`  ${file}`)),
    "",
    skill.body,
  ].join("\n");
}

/** Undefined for a skill that can be used. */
export function describeReasons({ reasons }: SkillCard, words: Words): string | undefined {
  return reasons.length === 0 ? undefined : reasons.map((reason) => describeReason(reason, words)).join("; ");
}

export function describeReason({ kind, subject }: SkillReason, words: Words): string {
  return say(phrase(`skills.reason.${kind}`, { subject }), words);
}

export function describeNote({ kind, subject }: SkillNote, words: Words): string {
  return say(phrase(`skills.note.${kind}`, { subject }), words);
}

export function describeFinding({ rule, file, line, excerpt }: SkillFinding, words: Words): string {
  const place = line === 0 ? file : `${file}:${line}`;
  const about = say(phrase(`skills.rule.${rule}`), words);
  return `${place}: ${about}${excerpt === "" ? "" : ` (${excerpt})`}`;
}

function paint(style: Style, state: SkillState): (text: string) => string {
  if (state === "ready" || state === "always") return style.good;
  return state === "blocked" ? style.bad : style.warning;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
