// `nanobot skills`: which skills there are and why one cannot be used; adding, switching, allowing, checking them.
import type { Client } from "../api/client.ts";
import type { ShownSkill, SkillCard } from "../api/skills/skill-view.ts";
import type { Words } from "../i18n/words.ts";
import { CommandFailure } from "./command-failure.ts";
import type { SkillsOptions } from "./command-line.ts";
import { withClient } from "./open-client.ts";
import { describeReasons, describeSkill, listSkills } from "./skills/describe-skill.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export async function runSkills(options: SkillsOptions, context: CommandContext): Promise<number> {
  const { action, target } = options;
  const { terminal } = context;
  if (action === "check") return (await import("./skills/check-skill.ts")).checkSkill(options, context);
  return withClient(options, terminal, async ({ client }) => {
    if (action === "list") return list(client, options, terminal);
    if (target === undefined) throw new CommandFailure(terminal.words.skills.needsTarget(action), 2);
    if (action === "add") return (await import("./skills/add-skill.ts")).addSkill(options, client, context);
    const skill = await client.call("skills.show", { name: target });
    if (action === "show") return show(skill, options, terminal);
    const { changeSkill } = await import("./skills/change-skill.ts");
    return changeSkill({ skill, client, options, context });
  });
}

async function list(client: Client, { json }: SkillsOptions, terminal: Terminal): Promise<number> {
  const { stdout, words, style } = terminal;
  const { skills } = await client.call("skills.list", {});
  const text = json
    ? JSON.stringify(skills.map((skill) => toReport(skill, words)))
    : listSkills(skills, { words, style, columns: stdout.columns ?? 120 });
  stdout.write(`${text}\n`);
  return 0;
}

function show(skill: ShownSkill, { json }: SkillsOptions, { stdout, words, style }: Terminal): number {
  const { requires, notes, findings, files, hash, data, body } = skill;
  const text = json
    ? JSON.stringify({ ...toReport(skill, words), requires, notes, findings, files, hash, data, body })
    : describeSkill(skill, { words, style });
  stdout.write(`${text}\n`);
  return 0;
}

function toReport(skill: SkillCard, words: Words): Record<string, unknown> {
  const { name, description, path, source, available, blocked, disabled, always } = skill;
  const reason = describeReasons(skill, words) ?? null;
  return { name, description, path, source, available, reason, blocked, disabled, always };
}
