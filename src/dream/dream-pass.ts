// One pass of Dream over entries of one degree of trust: analysis, edits of the staged copy, checks, and one chance to
// mend what the checks refuse. Lands nothing.

import { createWords, say } from "../i18n/words.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { compareLines } from "../lib/formats/line-diff.ts";
import { cutMiddle, toPlainLine } from "../lib/text.ts";
import type { Message } from "../llm/types.ts";
import type { SkillEntry } from "../skills/skill.ts";
import type { MemoryStore } from "../storage/documents/memory-store.ts";
import type { StagedCopy } from "../storage/documents/staged-copy.ts";
import {
  type Analysis,
  analyse,
  type Directive,
  type DreamPass,
  dreamFiles,
  frame,
  showEntry,
  showFile,
} from "./dream-analysis.ts";
import { checkChanges, type DreamProblem, toProblemPhrase } from "./dream-checks.ts";
import { createEditor, type DreamEditorOptions } from "./dream-editor.ts";
import { toSkillFile } from "./skill-revisions.ts";

export interface PassContext extends Omit<DreamEditorOptions, "files" | "newSkills" | "system"> {
  memory: MemoryStore;
  /** Those that exist. */
  skills: readonly SkillEntry[];
  /** Statistics of the assistant's own skills, by name. */
  experience: ReadonlyMap<string, string>;
  /** Of the passes before this one, whose changes are checked again with its own. */
  earlier: readonly Directive[];
  /** Characters that are shown of a file. */
  longestFile: number;
  clock: Clock;
  readPrompt(name: "dream_phase1.md" | "dream_phase2.md"): Promise<string>;
}

const longestDescription = 200;

export async function runPass(
  context: PassContext,
  pass: DreamPass,
): Promise<Analysis | { problems: DreamProblem[] }> {
  const { stage, skills, readPrompt } = context;
  const prompt: Message[] = [
    { role: "system", content: await readPrompt("dream_phase1.md") },
    { role: "user", content: await renderAnalysis(context, pass) },
  ];
  const analysis = await analyse(context, prompt, pass);
  if ("failure" in analysis || analysis.directives.length === 0) return analysis;
  const before = await stage.read(dreamFiles.MEMORY);
  const files = pass.targets
    .flatMap((target): string[] => (target === "SKILL" ? [] : [dreamFiles[target]]))
    .concat(analysis.directives.flatMap(({ revises }) => (revises ? toSkillFile(revises) : [])))
    .filter((file) => stage.originals.has(file));
  const newSkills = analysis.directives.flatMap(({ skill }) => (skill ? toSkillFile(skill) : []));
  const say = createEditor({ ...context, files, newSkills, system: await readPrompt("dream_phase2.md") });
  let request = await renderEdits(context, files, analysis.directives);
  for (const isLast of [false, true]) {
    const failure = await say(request);
    if (failure !== undefined) return { failure };
    if (pass.labels.length > 0) await markSources(stage, pass.labels, before);
    const problems = await checkChanges(stage, skills, [...context.earlier, ...analysis.directives]);
    if (problems.length === 0) break;
    if (isLast) return { problems };
    request = renderProblems(problems);
  }
  return analysis;
}

async function renderAnalysis(context: PassContext, { targets, entries }: DreamPass): Promise<string> {
  const { stage, memory, clock, ids, skills, experience, longestFile } = context;
  const now = clock.now();
  const originals = [...stage.originals].filter(([path]) => !path.startsWith("skills/"));
  const files = originals.map(async ([path, { changedAt: otherwise }]) => {
    const text = await stage.read(path);
    const dates = await memory.provenance.ageOf(path, text.split("\n"));
    return { name: path, text: showFile(text, longestFile, { now, dates, otherwise }) };
  });
  const listed = skills.map(
    ({ name, description }) =>
      `- ${name}: ${toPlainLine(description, longestDescription)}${experience.get(name) ?? ""}`,
  );
  const time = toLocalIso(now).slice(0, 16).replace("T", " ");
  return frame(
    ids.next(),
    [`Time: ${time}`, `You may name: ${targets.join(", ")}`],
    [
      ...(targets.includes("SKILL")
        ? [{ name: "skills", text: cutMiddle(listed.join("\n"), longestFile) }]
        : []),
      ...(await Promise.all(files)),
      { name: "history", text: entries.map(showEntry).join("\n") },
    ],
  );
}

async function renderEdits(
  { stage, ids, skills, longestFile }: PassContext,
  paths: string[],
  directives: Directive[],
): Promise<string> {
  const files = paths.map(async (path) => ({
    name: path,
    text: showFile(await stage.read(path), longestFile),
  }));
  const guide = skills.find(({ name, available }) => name === "skill-creator" && available)?.path;
  const needsGuide = guide !== undefined && directives.some(({ skill }) => skill !== undefined);
  const findings = { name: "findings", text: directives.map(({ line }) => line).join("\n") };
  return frame(
    ids.next(),
    [
      `Files: ${paths.join(", ")}`,
      ...(needsGuide ? [`How to write a skill, to be read first: ${guide}`] : []),
    ],
    [findings, ...(await Promise.all(files))],
  );
}

function renderProblems(problems: readonly DreamProblem[]): string {
  const english = createWords("english");
  const lines = problems.map((problem) => `- ${say(toProblemPhrase(problem), english)}`);
  return ["Your changes cannot be accepted yet. Mend them now, with the same tools:", ...lines].join("\n");
}

/** Not left to the model: whatever it wrote while it knew a stranger's words says so. */
async function markSources(stage: StagedCopy, labels: readonly string[], before: string): Promise<void> {
  const text = await stage.read(dreamFiles.MEMORY);
  const added = new Set(compareLines(before, text).added);
  const mark = ` (source: ${labels.join(", ")})`;
  const isUnmarked = (line: string) => added.has(line.trim()) && !line.includes(mark);
  const marked = text.split("\n").map((line) => (isUnmarked(line) ? `${line.trimEnd()}${mark}` : line));
  if (marked.join("\n") !== text) await stage.write(dreamFiles.MEMORY, marked.join("\n"));
}
