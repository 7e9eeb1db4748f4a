// `nanobot skills add`: shows what would be copied, what was found in it and what would change, asks, and copies.
// Nothing of the skill is run.
import type { Client } from "../../api/client.ts";
import type { StagedSkill } from "../../api/skills/skill-view.ts";
import { stageSource } from "../../api/skills/stage-source.ts";
import { say } from "../../i18n/words.ts";
import { CommandFailure } from "../command-failure.ts";
import type { SkillsOptions } from "../command-line.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { confirm } from "./confirm.ts";
import { describeFinding, describeNote } from "./describe-skill.ts";

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
