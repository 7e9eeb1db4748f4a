// What there is to say about a skill, each fact in words.
import { basename } from "node:path";
import type { Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { SkillEntry, SkillFinding, SkillNote, SkillReason } from "../../skills/skill.ts";

export type SkillState = keyof Words["skills"]["states"];

export function stateOf({ always, available, blocked, disabled }: SkillEntry): SkillState {
  if (available) return always ? "always" : "ready";
  if (disabled) return "off";
  return blocked ? "blocked" : "unusable";
}

export function phraseFinding({ rule, file, line, excerpt }: SkillFinding, { skills }: Words): string {
  const place = line === 0 ? file : `${file}:${line}`;
  return revealLine(`${place}: ${skills.rules[rule]}${excerpt === "" ? "" : ` (${excerpt})`}`);
}

export function phraseNote({ kind, subject }: SkillNote, { skills }: Words): string {
  const phrase = skills.notes[kind];
  return revealLine(typeof phrase === "string" ? phrase : phrase(subject));
}

export function phraseReason({ kind, subject }: SkillReason, { skills }: Words): string {
  return revealLine(skills.reasons[kind](subject));
}

/** Only what belongs to this installation: other programs share the other places. */
export function isRemovable({ source }: Pick<SkillEntry, "source">): boolean {
  return source === "user" || source === "workspace";
}

/** The names of the skills that are not used, once this one is switched on or off. */
export function switchSkill(
  { name, folder }: Pick<SkillEntry, "name" | "folder">,
  isOn: boolean,
  disabled: readonly string[],
): string[] {
  const others = disabled.filter((other) => other !== name && other !== basename(folder));
  return isOn ? others : [...others, name];
}
