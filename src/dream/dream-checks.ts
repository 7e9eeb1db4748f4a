// What a change of Dream must satisfy before it may land. Judges only; every problem names a file and its numbers.
import { join } from "node:path";
import { toRealRoot } from "../guards/files/real-path.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { compareLines, toLines } from "../lib/formats/line-diff.ts";
import { isBlank, toPlainLine } from "../lib/text.ts";
import type { SkillEntry, SkillManifest, SkillNote } from "../skills/skill.ts";
import { readSkillFolder } from "../skills/skill-folder.ts";
import type { StagedChange, StagedCopy } from "../storage/documents/staged-copy.ts";
import { readFirstBytes } from "../storage/files/folder-entries.ts";
import { type Directive, dreamFiles } from "./dream-analysis.ts";

export interface DreamProblem {
  kind:
    | "outside"
    | "loss"
    | "fact-lost"
    | "size"
    | "skill-form"
    | "skill-flagged"
    | "skill-long"
    | "skill-twin"
    | "changed-meanwhile";
  path: string;
  found: string | number;
  most: string | number;
}

type Known = Pick<SkillEntry, "name" | "description">;

/** Well within what a prompt takes of a file: they are part of every one. */
const mostCharacters: Record<string, number> = { "memory/MEMORY.md": 16_000 };
const mostOfOthers = 8_000;
const smallFile = 40;
const mostLostOfSmall = 10;
/** Of its words, so that a line counts as kept in another. */
const keptShare = 0.6;
/** Of its words, so that a finding counts as speaking of a line. */
const spokenShare = 0.3;
/** Letters of a word that says something on its own. */
const shortestTelling = 4;
const longestFact = 80;
const mostWords = 2_000;
const alike = 0.5;
/** A foreign skill may have these; one that Dream writes needs none. */
const harmless: Array<SkillNote["kind"]> = ["long-body", "env-not-passed"];

/** What the first phase found: only what it speaks of may change. */
export type Finding = Pick<Directive, "target" | "text" | "isRemoval">;

export async function checkChanges(
  stage: StagedCopy,
  known: readonly Known[],
  findings: readonly Finding[],
): Promise<DreamProblem[]> {
  const problems: DreamProblem[] = [];
  const skills = [...known];
  for (const change of await stage.changes()) {
    const { path } = change;
    const [, name] = /^skills\/([^/]+)\/SKILL\.md$/.exec(path) ?? [];
    if (isRevision(change)) problems.push(...(await checkRevision(stage, change, name ?? "")));
    else if (stage.originals.has(path))
      problems.push(
        ...checkFile(
          change,
          findings.filter(({ target }) => isAbout(target, path)),
        ),
      );
    else if (name !== undefined) problems.push(...(await checkSkill(stage, name, skills)));
    else problems.push(toProblem("outside", path));
  }
  return problems;
}

/** Of a skill that is there: it is proposed, and changes nothing until the owner agrees. */
export function isRevision({ path, before }: Pick<StagedChange, "path" | "before">): boolean {
  return path.startsWith("skills/") && before !== undefined;
}

export function toProblem(
  kind: DreamProblem["kind"],
  path: string,
  found: string | number = "",
  most: string | number = "",
): DreamProblem {
  return { kind, path, found, most };
}

export function toProblemPhrase({ kind, path, found, most }: DreamProblem): Phrase {
  return phrase(`dream.${kind}`, { path, found, most });
}

function isAbout(target: Finding["target"], path: string): boolean {
  return target !== "SKILL" && dreamFiles[target] === path;
}

function* checkFile(
  { path, before = "", after }: StagedChange,
  findings: readonly Finding[],
): Generator<DreamProblem> {
  const { length } = toLines(before);
  const most = length < smallFile ? mostLostOfSmall : Math.floor(length / 4);
  const lost = findLost(before, after, keptShare);
  const unspoken = findUnspoken(before, after, findings);
  if (isBlank(after)) yield toProblem("loss", path, lost.length, length - 1);
  else if (lost.length > most) yield toProblem("loss", path, lost.length, most);
  else if (unspoken !== undefined) yield toProblem("fact-lost", path, toPlainLine(unspoken, longestFact));
  const largest = mostCharacters[path] ?? mostOfOthers;
  if (after.length > Math.max(largest, before.length)) yield toProblem("size", path, after.length, largest);
}

/** A line that was reworded or condensed into another is not lost. */
function findLost(before: string, after: string, share: number): string[] {
  const { added, removed } = compareLines(before, after);
  const fresh = added.map(toWordSet);
  return removed.filter((line) => {
    const words = toWordSet(line);
    return words.size > 0 && !fresh.some((others) => shareIn(words, others) >= share);
  });
}

/**
 * A fact that is gone although no finding speaks of it: a line of which words with meaning are missing everywhere. What a
 * finding calls stale or corrects may go.
 */
function findUnspoken(before: string, after: string, findings: readonly Finding[]): string | undefined {
  if (findings.some(({ isRemoval }) => isRemoval)) return undefined;
  const left = toWordSet(after);
  const isKept = (word: string) => word.length < shortestTelling || left.has(word) || /^\d{1,2}$/.test(word);
  return findLost(before, after, 1).find((line) => {
    const words = toWordSet(line);
    const isSpokenOf = findings.some(({ text }) => shareIn(words, toWordSet(text)) >= spokenShare);
    return !line.startsWith("#") && !isSpokenOf && ![...words].every(isKept);
  });
}

/** Not rewritten: most of what the skill says stays. */
async function checkRevision(
  stage: StagedCopy,
  { path, before = "", after }: StagedChange,
  name: string,
): Promise<DreamProblem[]> {
  const most = Math.max(mostLostOfSmall, Math.floor(toLines(before).length / 2));
  const lost = findLost(before, after, keptShare).length;
  const { problems } = await checkForm(stage, name);
  return lost > most ? [...problems, toProblem("loss", path, lost, most)] : problems;
}

/** Those that were looked at are known from then on: two new ones must differ, too. */
async function checkSkill(stage: StagedCopy, name: string, known: Known[]): Promise<DreamProblem[]> {
  const { manifest, problems } = await checkForm(stage, name);
  if (manifest === undefined) return problems;
  const isTwin = ({ name: other, description }: Known) =>
    other === name || likeness(description, manifest.description) >= alike;
  const twin = known.find(isTwin);
  known.push({ name, description: manifest.description });
  return twin === undefined
    ? problems
    : [...problems, toProblem("skill-twin", `skills/${name}/SKILL.md`, twin.name)];
}

async function checkForm(
  stage: StagedCopy,
  name: string,
): Promise<{ manifest?: SkillManifest; problems: DreamProblem[] }> {
  const path = `skills/${name}/SKILL.md`;
  const realRoot = toRealRoot(join(stage.folder, "skills"));
  const reading = await readSkillFolder({ folder: join(realRoot, name), realRoot, read: readFirstBytes });
  if (reading?.skill === undefined) return { problems: [toProblem("skill-form", path, "unreadable")] };
  const { manifest, findings } = reading.skill;
  const faults = manifest.notes.filter(({ kind }) => !harmless.includes(kind));
  const words = countWords(await stage.read(path));
  const problems = [
    ...faults.map(({ kind }) => toProblem("skill-form", path, kind)),
    ...findings.slice(0, 1).map(({ rule }) => toProblem("skill-flagged", path, rule)),
    ...(words > mostWords ? [toProblem("skill-long", path, words, mostWords)] : []),
  ];
  return { manifest, problems };
}

function countWords(text: string): number {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  return Iterator.from(segments).reduce((count, { isWordLike }) => count + (isWordLike ? 1 : 0), 0);
}

export function toWordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[[\p{L}\p{N}_]--\p{Script=Han}]+/gv) ?? []);
}

/** Share of the first text's words that the second has too, from 0 to 1. */
export function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : words.intersection(others).size / words.size;
}

/** Common words among all words of both, from 0 to 1. */
export function likeness(a: string, b: string): number {
  const [words, others] = [toWordSet(a), toWordSet(b)];
  return words.size + others.size === 0 ? 0 : words.intersection(others).size / words.union(others).size;
}
