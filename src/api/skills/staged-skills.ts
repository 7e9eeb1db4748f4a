// Skills that are about to be added: fetched, read, and kept aside until it is decided. Nothing of them is run.

import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import { isSkillName } from "../../skills/manifest.ts";
import type { SkillRecord } from "../../skills/skill.ts";
import { isMain, listFiles, type SkillFile } from "../../skills/skill-files.ts";
import { largestHashed, mostHashed, readSkillFolder } from "../../skills/skill-folder.ts";
import {
  changeMode,
  copyToFile,
  makeFolder,
  moveFile,
  removeFile,
} from "../../storage/files/change-files.ts";
import { lookBehindLinks } from "../../storage/files/file-stamp.ts";
import { listEntries, readFirstBytes } from "../../storage/files/folder-entries.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import type { Surroundings } from "../services.ts";
import { type StagedSource, stageSource, stageText } from "./stage-source.ts";

export type Offer = { source: string; name?: string | undefined } | { text: string };

interface Staged {
  source: StagedSource;
  addition: Addition;
}

/** They are in the system's temporary folder. */
const mostStaged = 5;
const longestFetchMs = 120_000;

export class StagedSkills {
  readonly #staged = new Map<string, Staged>();

  /** The names of all where it is not clear which one is meant. */
  async stage(
    offer: Offer,
    { paths, env, ids }: Pick<Surroundings, "paths" | "env" | "ids">,
    cancelled?: AbortSignal,
  ): Promise<{ id: string; addition: Addition } | string[]> {
    const timeout = AbortSignal.timeout(longestFetchMs);
    const signal = cancelled === undefined ? timeout : AbortSignal.any([timeout, cancelled]);
    const source = await ("text" in offer
      ? stageText(offer.text)
      : stageSource(offer.source, { env, signal }));
    let isKept = false;
    try {
      const chosen = chooseSkill(findSkills(source.folder), "name" in offer ? offer.name : undefined);
      if (typeof chosen !== "string") {
        if (chosen.length === 0) throw fail("skills.none-inside");
        return chosen.slice(0, 100);
      }
      const addition = await planAddition(chosen, paths.skills);
      const id = ids.next();
      this.#staged.set(id, { source, addition });
      isKept = true;
      await this.#dropOldest();
      return { id, addition };
    } finally {
      if (!isKept) await source.close();
    }
  }

  async add(
    id: string,
    isAccepted: boolean,
  ): Promise<Pick<Addition, "name"> & Pick<SkillRecord, "findings" | "hash">> {
    const { addition } = this.#staged.get(id) ?? {};
    if (addition === undefined) throw fail("skills.stage-gone");
    const { findings, hash } = addition.skill;
    if (findings.length > 0 && !isAccepted) throw fail("skills.flagged");
    await copyAddition(addition);
    await this.discard(id);
    return { name: addition.name, findings, hash };
  }

  async discard(id: string): Promise<void> {
    const staged = this.#staged.get(id);
    this.#staged.delete(id);
    await staged?.source.close();
  }

  async #dropOldest(): Promise<void> {
    const [oldest] = this.#staged.keys();
    if (this.#staged.size > mostStaged && oldest !== undefined) await this.discard(oldest);
  }
}

const deepest = 4;
const mostFolders = 2000;

/** Without links and hidden folders; a skill is not searched for further ones. */
function findSkills(root: string): string[] {
  const skillFolders: string[] = [];
  let level = [root];
  for (let depth = 0, seen = 0; depth <= deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++seen > mostFolders) return skillFolders;
      const entries = listEntries(folder, mostFolders) ?? [];
      if (entries.some(({ name }) => isMain(name))) skillFolders.push(folder);
      else
        for (const entry of entries)
          if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
            next.push(join(folder, entry.name));
    }
    level = next;
  }
  return skillFolders;
}

/** The one that is meant; the names of all when that is not clear. */
function chooseSkill(folders: string[], name: string | undefined): string | string[] {
  const meant = name === undefined ? folders : folders.filter((folder) => basename(folder) === name);
  const [only] = meant;
  return meant.length === 1 && only !== undefined ? only : folders.map((folder) => basename(folder));
}

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
async function planAddition(from: string, root: string): Promise<Addition> {
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
  const isReplacing = lookBehindLinks(to) !== undefined;
  return { name, from, to, skill, files, isReplacing };
}

/** Next to its place first, then in one step: an old one is gone only when the new one is there. */
async function copyAddition({ from, to, skill, files }: Addition): Promise<void> {
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
  const { mode = 0 } = lookBehindLinks(target) ?? {};
  await changeMode(target, (mode & 0o111) === 0 ? 0o600 : 0o700);
}

async function readSkill(folder: string): Promise<SkillRecord | undefined> {
  const reading = await readSkillFolder({ folder, realRoot: dirname(folder), read: readFirstBytes });
  return reading?.skill?.unusable === undefined ? reading?.skill : undefined;
}

const largestCompared = 256 * 1024;
const longestDiff = 8000;

/** Both without links in their paths. */
export async function compareFolders(before: string, after: string): Promise<Phrase[]> {
  const [old, fresh] = [before, after].map((folder) => listFiles(folder).files.map(({ path }) => path));
  const all = [...new Set([...(old ?? []), ...(fresh ?? [])])].sort();
  const changes = await Promise.all(
    all.map(async (file): Promise<Phrase[]> => {
      const path = revealLine(file);
      if (!old?.includes(file)) return [phrase("skills.file-added", { path })];
      if (!fresh?.includes(file)) return [phrase("skills.file-removed", { path })];
      const [a, b] = await Promise.all(
        [before, after].map((folder) => readFirstBytes(join(folder, file), largestCompared)),
      );
      if (a !== undefined && b !== undefined && a.equals(b)) return [];
      const diff = a && b && (await diffLines(a.toString(), b.toString(), longestDiff));
      return [phrase("skills.file-changed", { path, ...(diff !== undefined && { diff: reveal(diff) }) })];
    }),
  );
  const differences = changes.flat();
  return differences.length === 0 ? [phrase("skills.unchanged")] : differences;
}
