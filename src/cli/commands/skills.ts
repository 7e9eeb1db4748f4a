// `nanobot skills`: which skills there are and why one cannot be used; adding, switching, allowing, checking them.

import type { Client } from "../../api/client.ts";
import { describeWants } from "../../api/skills/describe-wants.ts";
import type { ShownSkill, SkillCard, StagedSkill } from "../../api/skills/skill-view.ts";
import { stageSource } from "../../api/skills/stage-source.ts";
import { say, type Words } from "../../i18n/words.ts";
import type { SkillsOptions } from "../command-line/options.ts";
import { withClient } from "../open-client.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";
import {
  describeFinding,
  describeNote,
  describeReasons,
  describeSkill,
  listSkills,
} from "./describe-skill.ts";
import { decideRevision, listRevisions } from "./skill-revisions.ts";

export async function runSkills(options: SkillsOptions, context: CommandContext): Promise<number> {
  const { action, target } = options;
  const { terminal } = context;
  if (action === "check") return (await import("./check-skill.ts")).checkSkill(options, context);
  return withClient(options, terminal, async ({ client }) => {
    if (action === "list") return list(client, options, terminal);
    if (action === "revisions") return listRevisions(client, options, terminal);
    if (target === undefined) throw new CommandFailure(terminal.words.skills.needsTarget(action), 2);
    if (action === "add") return addSkill(options, client, context);
    if (action === "apply" || action === "refuse")
      return decideRevision({ name: target, decision: action, client, options, context });
    const skill = await client.call("skills.show", { name: target });
    if (action === "show") return show(skill, options, terminal);
    return changeSkill({ skill, client, options, context });
  });
}

async function list(client: Client, options: SkillsOptions, terminal: Terminal): Promise<number> {
  const { stdout, words, style } = terminal;
  const { skills } = await client.call("skills.list", {});
  const text = listSkills(skills, { words, style, columns: stdout.columns ?? 120 });
  return printReport({ json: skills.map((skill) => toReport(skill, words)), text }, options, terminal);
}

function show(skill: ShownSkill, options: SkillsOptions, terminal: Terminal): Promise<number> {
  const { words } = terminal;
  const { requires, notes, findings, files, hash, data, body } = skill;
  const json = { ...toReport(skill, words), requires, notes, findings, files, hash, data, body };
  return printReport({ json, text: describeSkill(skill, terminal) }, options, terminal);
}

function toReport(skill: SkillCard, words: Words): Record<string, unknown> {
  const { name, description, path, source, available, blocked, disabled, always } = skill;
  const reason = describeReasons(skill, words) ?? null;
  return { name, description, path, source, available, reason, blocked, disabled, always };
}

/** It is fetched here, not by a gateway: paths, proxies and keys for Git are those of the person who typed the command. */
export async function addSkill(
  options: SkillsOptions,
  client: Client,
  context: CommandContext,
): Promise<number> {
  const { terminal, signal } = context;
  const source = await stageSource(options.target ?? "", { env: terminal.env, signal });
  try {
    const { name } = options;
    const offer = { source: source.folder, ...(name !== undefined && { name }) };
    const { staged, choices = [] } = await client.call("skills.stage", { offer }, { signal });
    if (staged === undefined)
      throw new CommandFailure(terminal.words.skills.severalInside(choices.slice(0, 50).join(", ")));
    try {
      return await addStaged(staged, options, { client, context });
    } finally {
      await client.call("skills.discard", { stage: staged.stage });
    }
  } finally {
    await source.close();
  }
}

async function addStaged(
  staged: StagedSkill,
  { allowFlagged = false, yes = false }: SkillsOptions,
  { client, context }: { client: Client; context: CommandContext },
): Promise<number> {
  const { stdout, words } = context.terminal;
  const { stage, name, folder, findings } = staged;
  stdout.write(`${describeStaged(staged, context.terminal).join("\n")}\n`);
  if (findings.length > 0 && !allowFlagged) throw new CommandFailure(words.skills.addFlagged);
  if (!(await confirm({ text: words.skills.askAdd(name), isAnswered: yes }, context))) return 1;
  await client.call("skills.add", { stage, isAccepted: allowFlagged });
  stdout.write(`${words.skills.added(name, folder)}\n`);
  return 0;
}

function describeStaged(staged: StagedSkill, { words, style }: Terminal): string[] {
  const { name, description, folder, files, notes, findings, changes, isReplacing } = staged;
  const { skills } = words;
  return [
    style.bold(name),
    description,
    skills.wouldCopy(files.length, folder),
    ...files.map(({ path, size }) => style.quiet(`  ${path} (${size})`)),
    ...notes.map((note) => style.warning(describeNote(note, words))),
    findings.length === 0 ? skills.nothingFound : style.bad(skills.found),
    ...findings.map((finding) => style.bad(`  ${describeFinding(finding, words)}`)),
    ...(isReplacing ? [skills.replaces, ...changes.map((change) => say(change, words))] : []),
  ];
}

export interface Change {
  skill: ShownSkill;
  client: Client;
  options: SkillsOptions;
  context: CommandContext;
}

function changeSkill(change: Change): Promise<number> {
  const { action } = change.options;
  if (action === "allow") return allowSkill(change);
  if (action === "grant" || action === "revoke") return grantSkill(change, action === "grant");
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

async function grantSkill(change: Change, isGranted: boolean): Promise<number> {
  const { skill, client, options, context } = change;
  const { words, stdout } = context.terminal;
  const { name, hash } = skill;
  if (isGranted) {
    stdout.write(`${describeWants(skill, words).join("\n")}\n`);
    const question = { text: words.skills.askGrant(name), isAnswered: options.yes === true };
    if (!(await confirm(question, context))) return 1;
  }
  await client.call("skills.grant", { name, hash, isGranted });
  return tell(change, isGranted ? words.skills.granted : words.skills.revoked);
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
