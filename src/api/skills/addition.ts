// A skill that is about to be added: read once, refused when something about it is not plain, and copied exactly as it
// was read.

import { randomBytes } from "node:crypto";
import { chmod, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { isSkillName } from "../../skills/manifest.ts";
import type { SkillRecord } from "../../skills/skill.ts";
import { listFiles, readFirstBytes, type SkillFile } from "../../skills/skill-files.ts";
import { largestHashed, mostHashed, readSkillFolder } from "../../skills/skill-folder.ts";
import { copyToFile, makeFolder, moveFile, removeFile } from "../../storage/files/change-files.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";

export interface Addition {
  name: string;
  /** Without links in its path. */
  from: string;
  to: string;
  skill: SkillRecord;
  files: SkillFile[];
  isReplacing: boolean;
}

/** `root` is the folder that skills are added to. */
export async function planAddition(from: string, root: string): Promise<Addition> {
  const skill = await readSkill(from);
  const { files, isCut } = listFiles(from);
  const odd = files.find(({ kind }) => kind !== "file");
  if (skill === undefined || odd !== undefined)
    throw fail("skills.not-plain", { path: revealLine(odd?.path ?? "SKILL.md") });
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (isCut || total > mostHashed || files.some(({ size }) => size > largestHashed))
    throw fail("skills.too-much");
  const name = [skill.manifest.name, basename(from)].find(isSkillName);
  if (name === undefined) throw fail("skills.bad-name", { name: revealLine(skill.manifest.name) });
  const to = join(root, name);
  const isReplacing = (await stat(to).catch(ignoreMissing)) !== undefined;
  return { name, from, to, skill, files, isReplacing };
}

/** Beside its place first, then in one step: an old one is gone only when the new one is there. */
export async function copyAddition({ from, to, skill, files }: Addition): Promise<void> {
  const mark = join(dirname(to), `.${basename(to)}.${randomBytes(6).toString("hex")}`);
  const [fresh, old] = [`${mark}.new`, `${mark}.old`];
  try {
    for (const { path } of files) await copyOne(join(from, path), join(fresh, path));
    if ((await readSkill(fresh))?.hash !== skill.hash) throw fail("skills.changed");
    await moveFile(to, old).catch(ignoreMissing);
    await moveFile(fresh, to);
  } finally {
    await removeFile(fresh);
    await removeFile(old);
  }
}

async function copyOne(source: string, target: string): Promise<void> {
  await makeFolder(dirname(target));
  await copyToFile(source, target);
  const { mode } = await stat(target);
  await chmod(target, (mode & 0o111) === 0 ? 0o644 : 0o755);
}

async function readSkill(folder: string): Promise<SkillRecord | undefined> {
  const reading = await readSkillFolder({ folder, realRoot: dirname(folder), read: readFirstBytes });
  return reading?.skill?.unusable === undefined ? reading?.skill : undefined;
}
