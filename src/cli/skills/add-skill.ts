// `nanobot skills add`: shows what would be copied, what was found in it and what would change, asks, and copies.
// Nothing of the skill is run.
import { join } from "node:path";
import { type Addition, copyAddition, planAddition } from "../../app/skills/addition.ts";
import { compareFolders } from "../../app/skills/compare-folders.ts";
import { chooseSkill, findSkills } from "../../app/skills/find-skills.ts";
import { phraseFinding, phraseNote } from "../../app/skills/phrase-skill.ts";
import { stageSource } from "../../app/skills/stage-source.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { CommandFailure } from "../command-failure.ts";
import type { SkillsOptions } from "../command-line.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { confirm } from "./confirm.ts";
import type { OpenedSkills } from "./open-skills.ts";

export async function addSkill(
  options: SkillsOptions,
  { paths, loader }: OpenedSkills,
  context: CommandContext,
): Promise<number> {
  const { terminal, signal } = context;
  const { stdout, words, env } = terminal;
  const source = await stageSource(options.target ?? "", { env, signal });
  try {
    const from = choose(source.folder, options.name, words);
    const addition = await planAddition(from, join(paths.home, "skills"));
    const { name, skill, to } = addition;
    stdout.write(`${(await describeAddition(addition, terminal)).join("\n")}\n`);
    const isFlagged = skill.findings.length > 0;
    if (isFlagged && options.allowFlagged !== true) throw new CommandFailure(words.skills.addFlagged);
    const question = { text: words.skills.askAdd(name), isAnswered: options.yes === true };
    if (!(await confirm(question, context))) return 1;
    await copyAddition(addition);
    if (isFlagged) await loader.allow(skill.hash);
    stdout.write(`${words.skills.added(name, to)}\n`);
    return 0;
  } finally {
    await source.close();
  }
}

function choose(root: string, name: string | undefined, { skills }: Words): string {
  const chosen = chooseSkill(findSkills(root), name);
  if (typeof chosen === "string") return chosen;
  if (chosen.length === 0) throw fail("skills.none-inside");
  throw new CommandFailure(skills.severalInside(revealLine(chosen.slice(0, 50).join(", "))));
}

async function describeAddition(addition: Addition, { words, style }: Terminal): Promise<string[]> {
  const { skill, files, from, to, isReplacing } = addition;
  const { skills } = words;
  const { name, description, notes } = skill.manifest;
  return [
    style.bold(revealLine(name)),
    revealLine(description),
    skills.wouldCopy(files.length, to),
    ...files.map(({ path, size }) => style.quiet(`  ${revealLine(path)} (${size})`)),
    ...notes.map((note) => style.warning(phraseNote(note, words))),
    skill.findings.length === 0 ? skills.nothingFound : style.bad(skills.found),
    ...skill.findings.map((finding) => style.bad(`  ${phraseFinding(finding, words)}`)),
    ...(isReplacing ? [skills.replaces, ...(await compareFolders(to, from, words))] : []),
  ];
}
