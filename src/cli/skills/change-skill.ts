// Decisions about one skill that is there: switched on or off, allowed although it was flagged, removed.
import type { Client } from "../../api/client.ts";
import type { ShownSkill } from "../../api/skills/skill-view.ts";
import { CommandFailure } from "../command-failure.ts";
import type { SkillsOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";
import { confirm } from "./confirm.ts";
import { describeFinding } from "./describe-skill.ts";

export interface Change {
  skill: ShownSkill;
  client: Client;
  options: SkillsOptions;
  context: CommandContext;
}

export function changeSkill(change: Change): Promise<number> {
  const { action } = change.options;
  if (action === "allow") return allowSkill(change);
  return action === "remove" ? removeSkill(change) : switchSkill(change, action === "enable");
}

async function switchSkill(change: Change, isOn: boolean): Promise<number> {
  const { enabled, disabled } = change.context.terminal.words.skills;
  await change.client.call("skills.switch", { name: change.skill.name, isOn });
  return tell(change, isOn ? enabled : disabled);
}

async function allowSkill(change: Change): Promise<number> {
  const { skill, client, options, context } = change;
  const { words, stdout, style } = context.terminal;
  const { name, hash } = skill;
  if (skill.isAllowed) return tell(change, words.skills.allowed);
  for (const finding of skill.findings) stdout.write(`${style.warning(describeFinding(finding, words))}\n`);
  const question = { text: words.skills.askAllow(name), isAnswered: options.yes === true };
  if (!(await confirm(question, context))) return 1;
  await client.call("skills.allow", { name, hash });
  return tell(change, words.skills.allowed);
}

async function removeSkill(change: Change): Promise<number> {
  const { skill, client, options, context } = change;
  const { words } = context.terminal;
  const { name, folder, hash } = skill;
  if (!skill.isRemovable) throw new CommandFailure(words.skills.notOurs(folder));
  const question = { text: words.skills.askRemove(folder), isAnswered: options.yes === true };
  if (!(await confirm(question, context))) return 1;
  await client.call("skills.remove", { name, hash });
  return tell(change, words.skills.removed);
}

function tell({ skill, context }: Change, sentence: (name: string) => string): number {
  context.terminal.stdout.write(`${sentence(skill.name)}\n`);
  return 0;
}
