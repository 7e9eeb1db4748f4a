// Decisions about one skill that is there: switched on or off, allowed although it was flagged, removed.
import { rm } from "node:fs/promises";
import { isRemovable, phraseFinding, switchSkill as toDisabled } from "../../app/skills/phrase-skill.ts";
import { tellProblems } from "../../config/problem.ts";
import { saveConfig } from "../../config/save.ts";
import { systemClock } from "../../lib/clock.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import type { SkillEntry } from "../../skills/skill.ts";
import { CommandFailure } from "../command-failure.ts";
import type { SkillsOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";
import { confirm } from "./confirm.ts";
import type { OpenedSkills } from "./open-skills.ts";

export interface Change extends OpenedSkills {
  entry: SkillEntry;
  options: SkillsOptions;
  context: CommandContext;
}

export async function switchSkill(change: Change, isOn: boolean): Promise<number> {
  const { entry, loaded, paths, context } = change;
  const { env, words } = context.terminal;
  const disabledSkills = toDisabled(entry, isOn, loaded.config.agents.defaults.disabledSkills);
  const patch = { agents: { defaults: { disabledSkills } } };
  const saved = await saveConfig({ home: paths, env, clock: systemClock, change: patch });
  if (!saved.ok) throw new CommandFailure(neutralise(tellProblems(saved.problems, words).join("\n")));
  return say(change, isOn ? words.skills.enabled : words.skills.disabled);
}

export async function allowSkill(change: Change): Promise<number> {
  const { entry, loader, options, context } = change;
  const { words, stdout, style } = context.terminal;
  if (entry.isAllowed) return say(change, words.skills.allowed);
  const findings = entry.findings.map((finding) => style.warning(phraseFinding(finding, words)));
  stdout.write(findings.map((line) => `${line}\n`).join(""));
  const question = { text: words.skills.askAllow(revealLine(entry.name)), isAnswered: options.yes === true };
  if (!(await confirm(question, context))) return 1;
  await loader.allow(entry.hash);
  return say(change, words.skills.allowed);
}

export async function removeSkill(change: Change): Promise<number> {
  const { entry, options, context } = change;
  const { words } = context.terminal;
  if (!isRemovable(entry)) throw new CommandFailure(words.skills.notOurs(revealLine(entry.folder)));
  const question = {
    text: words.skills.askRemove(revealLine(entry.folder)),
    isAnswered: options.yes === true,
  };
  if (!(await confirm(question, context))) return 1;
  await rm(entry.folder, { recursive: true });
  return say(change, words.skills.removed);
}

function say({ entry, context }: Change, sentence: (name: string) => string): number {
  context.terminal.stdout.write(`${sentence(revealLine(entry.name))}\n`);
  return 0;
}
