// `nanobot skills check`: whether a folder follows the Agent Skills specification and holds nothing suspicious. Needs no config,
// so that an author can run it anywhere.
import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { showFinding, showSubject } from "../../api/skills/skill-view.ts";
import { fail } from "../../i18n/user-error.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { isMain } from "../../skills/skill-files.ts";
import { readSkillFolder } from "../../skills/skill-folder.ts";
import { readFirstBytes } from "../../storage/files/folder-entries.ts";
import type { SkillsOptions } from "../command-line/options.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { describeFinding, describeNote, describeReason } from "./describe-skill.ts";

export async function checkSkill(options: SkillsOptions, { terminal }: CommandContext): Promise<number> {
  const { words, style } = terminal;
  const path = resolve(options.target ?? ".");
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
  const described = findings.map((finding) => describeFinding(showFinding(finding), words));
  const lines = [...problems, ...described].map((line) => style.warning(line));
  const report = {
    json: { name: manifest.name, path: folder, isGood, problems, findings },
    text: isGood ? words.skills.checked(revealLine(manifest.name)) : lines.join("\n"),
    code: isGood ? 0 : 1,
  };
  return printReport(report, options, terminal);
}
