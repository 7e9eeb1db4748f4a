// `nanobot skills`: which skills there are and why one cannot be used; adding, switching, allowing, checking them.

import type { Words } from "../i18n/words.ts";
import { findNearest } from "../lib/nearest.ts";
import { revealLine } from "../lib/visible-text.ts";
import type { SkillEntry } from "../skills/skill.ts";
import { readFirstBytes } from "../skills/skill-files.ts";
import { readBody } from "../skills/skill-folder.ts";
import type { SkillSet } from "../skills/skill-set.ts";
import { CommandFailure } from "./command-failure.ts";
import type { SkillsOptions } from "./command-line.ts";
import { describeReasons, describeSkill, listSkills } from "./skills/describe-skill.ts";
import { type OpenedSkills, openSkills } from "./skills/open-skills.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export async function runSkills(options: SkillsOptions, context: CommandContext): Promise<number> {
  const { action, target } = options;
  const { terminal } = context;
  if (action === "check") return (await import("./skills/check-skill.ts")).checkSkill(options, context);
  const opened = await openSkills(options, terminal);
  if (action === "list") return list(await opened.loader.survey(), options, terminal);
  if (target === undefined) throw new CommandFailure(terminal.words.skills.needsTarget(action), 2);
  if (action === "add") return (await import("./skills/add-skill.ts")).addSkill(options, opened, context);
  return actOn(target, { options, opened, context });
}

interface Action {
  options: SkillsOptions;
  opened: OpenedSkills;
  context: CommandContext;
}

async function actOn(name: string, { options, opened, context }: Action): Promise<number> {
  const entry = findEntry(name, await opened.loader.survey(), context.terminal.words);
  if (options.action === "show") return show(entry, options, context.terminal);
  const { allowSkill, removeSkill, switchSkill } = await import("./skills/change-skill.ts");
  const change = { ...opened, entry, options, context };
  switch (options.action) {
    case "allow":
      return allowSkill(change);
    case "remove":
      return removeSkill(change);
    default:
      return switchSkill(change, options.action === "enable");
  }
}

function findEntry(name: string, skills: SkillSet, words: Words): SkillEntry {
  const entry = skills.get(name);
  if (entry !== undefined) return entry;
  const nearest = findNearest(
    name,
    skills.list().map((one) => one.name),
  );
  throw new CommandFailure(words.skills.unknown(revealLine(name), nearest && revealLine(nearest)));
}

function list(skills: SkillSet, { json }: SkillsOptions, { stdout, words, style }: Terminal): number {
  const entries = skills.list();
  const text = json
    ? JSON.stringify(entries.map((entry) => toReport(entry, words)))
    : listSkills(entries, { words, style, columns: stdout.columns ?? 120 });
  stdout.write(`${text}\n`);
  return 0;
}

/** Also of a skill that cannot be used: a person has to be able to read what was flagged. */
async function show(
  entry: SkillEntry,
  { json }: SkillsOptions,
  { stdout, words, style }: Terminal,
): Promise<number> {
  const isReadable = entry.reasons.every(({ kind }) => kind !== "leads-outside" && kind !== "unreadable");
  const body = (isReadable && (await readBody(entry.path, readFirstBytes))) || "";
  const { requires, notes, findings, files, hash, data } = entry;
  const text = json
    ? JSON.stringify({ ...toReport(entry, words), requires, notes, findings, files, hash, data, body })
    : describeSkill(entry, body, { words, style, columns: stdout.columns ?? 120 });
  stdout.write(`${text}\n`);
  return 0;
}

function toReport(entry: SkillEntry, words: Words): Record<string, unknown> {
  const { name, description, path, source, available, blocked, disabled, always } = entry;
  const reason = describeReasons(entry, words) ?? null;
  return { name, description, path, source, available, reason, blocked, disabled, always };
}
