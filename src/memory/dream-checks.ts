// What a change of Dream must satisfy before it may land. Judges only; every problem names a file and its numbers.
import { join } from "node:path";
import { toRealRoot } from "../guards/real-path.ts";
import { likeness, shareIn, toWordSet } from "../lib/likeness.ts";
import { isBlank } from "../lib/text.ts";
import type { SkillEntry, SkillNote } from "../skills/skill.ts";
import { readFirstBytes } from "../skills/skill-files.ts";
import { readSkillFolder } from "../skills/skill-folder.ts";
import type { DreamWords } from "../words/english-dream.ts";
import { compareLines, type DreamStage, type StagedChange, toLines } from "./dream-stage.ts";

export interface DreamProblem {
  kind: keyof DreamWords["problems"];
  path: string;
  found: string | number;
  most: string | number;
}

/** Well within what a prompt takes of a file: they are part of every one. */
const largestFiles: Record<string, number> = {
  "memory/MEMORY.md": 16_000,
  "USER.md": 8_000,
  "SOUL.md": 8_000,
};
const smallFile = 40;
const mostLostOfSmall = 10;
/** Of its words, so that a line counts as kept in another. */
const keptShare = 0.6;
const mostWords = 2_000;
const alike = 0.5;
const skillPath = /^skills\/([^/]+)\/SKILL\.md$/;
/** A skill that somebody else wrote may have these; one of our own need not. */
const faults: Array<SkillNote["kind"]> = [
  "no-front-matter",
  "invalid-front-matter",
  "wrong-type",
  "no-description",
  "long-description",
  "odd-name",
  "name-differs",
];

export async function checkChanges(stage: DreamStage, known: readonly SkillEntry[]): Promise<DreamProblem[]> {
  const problems: DreamProblem[] = [];
  const skills = [...known];
  for (const change of await stage.changes()) {
    const { path } = change;
    if (stage.paths.includes(path)) problems.push(...checkFile(change));
    else if (skillPath.test(path)) problems.push(...(await checkSkill(stage, change, skills)));
    else problems.push({ kind: "outside", path, found: "", most: "" });
  }
  return problems;
}

function* checkFile({ path, before, after }: StagedChange): Generator<DreamProblem> {
  const lines = toLines(before);
  const most = lines.length < smallFile ? mostLostOfSmall : Math.floor(lines.length / 4);
  const lost = countLost(before, after);
  if (lost > most || (isBlank(after) && lines.length > 0)) yield { kind: "loss", path, found: lost, most };
  const largest = largestFiles[path] ?? 0;
  const isGrowing = after.length > (before?.length ?? 0);
  if (after.length > largest && isGrowing) yield { kind: "size", path, found: after.length, most: largest };
}

/** A line that was reworded or condensed into another is not lost. */
function countLost(before: string | undefined, after: string): number {
  const { added, removed } = compareLines(before, after);
  const fresh = added.map(toWordSet);
  return removed.filter((line) => {
    const words = toWordSet(line);
    return !fresh.some((others) => shareIn(words, others) >= keptShare);
  }).length;
}

/** Those that pass are known from then on: two new ones must differ, too. */
async function checkSkill(
  stage: DreamStage,
  { path, before, after }: StagedChange,
  known: SkillEntry[],
): Promise<DreamProblem[]> {
  const problem = (kind: DreamProblem["kind"], found: string | number = "", most: string | number = "") => ({
    kind,
    path,
    found,
    most,
  });
  const name = skillPath.exec(path)?.[1] ?? "";
  const realRoot = toRealRoot(join(stage.folder, "skills"));
  const folder = join(stage.folder, "skills", name);
  const skill = (await readSkillFolder({ folder, realRoot, read: readFirstBytes }))?.skill;
  if (skill === undefined || before !== undefined) return [problem("skillForm", "unreadable")];
  const { manifest, findings } = skill;
  const problems = [
    ...manifest.notes
      .filter(({ kind }) => faults.includes(kind))
      .map(({ kind }) => problem("skillForm", kind)),
    ...findings.slice(0, 1).map(({ rule }) => problem("skillFlagged", rule)),
  ];
  const words = countWords(after);
  if (words > mostWords) problems.push(problem("skillLong", words, mostWords));
  const twin = known.find(
    (other) => other.name === name || likeness(other.description, manifest.description) >= alike,
  );
  if (twin !== undefined) problems.push(problem("skillTwin", twin.name));
  known.push({ ...manifest, name } as SkillEntry);
  return problems;
}

function countWords(text: string): number {
  const words = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  let count = 0;
  for (const { isWordLike } of words) if (isWordLike) count += 1;
  return count;
}
