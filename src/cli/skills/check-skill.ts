// `nanobot skills check`: whether a folder is a skill as the Agent Skills specification wants it, and nothing in it is
// suspicious. Needs no config, so that an author can run it anywhere.
import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { showFinding, showSubject } from "../../api/skills/skill-view.ts";
import { fail } from "../../i18n/user-error.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { isMain, readFirstBytes } from "../../skills/skill-files.ts";
import { readSkillFolder } from "../../skills/skill-folder.ts";
import type { SkillsOptions } from "../command-line.ts";
import type { CommandContext } from "../terminal.ts";
import { describeFinding, describeNote, describeReason } from "./describe-skill.ts";

export async function checkSkill(
  { target = ".", json }: SkillsOptions,
  { terminal }: CommandContext,
): Promise<number> {
  const { words, stdout, style } = terminal;
  const path = resolve(target);
  const folder = await realpath(isMain(basename(path)) ? dirname(path) : path).catch((error) => {
    if (error.code === undefined) throw error;
    throw fail("skills.not-there", { path: revealLine(path) });
  });
  const reading = await readSkillFolder({ folder, realRoot: dirname(folder), read: readFirstBytes });
  if (reading?.skill === undefined) throw fail("skills.none-inside");
  const { manifest, findings, unusable } = reading.skill;
  const problems = [
    ...(unusable === undefined ? [] : [describeReason(showSubject(unusable), words)]),
    ...manifest.notes.map((note) => describeNote(showSubject(note), words)),
  ];
  const isGood = problems.length + findings.length === 0;
  if (json === true)
    stdout.write(`${JSON.stringify({ name: manifest.name, path: folder, isGood, problems, findings })}\n`);
  else {
    const found = findings.map((finding) => describeFinding(showFinding(finding), words));
    const lines = [...problems, ...found].map((line) => style.warning(line));
    stdout.write(`${isGood ? words.skills.checked(revealLine(manifest.name)) : lines.join("\n")}\n`);
  }
  return isGood ? 0 : 1;
}
