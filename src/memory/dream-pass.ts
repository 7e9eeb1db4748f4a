// One pass of Dream over entries of one degree of trust: analysis, edits of the staged copy, checks, and one chance to
// mend what the checks refuse. Lands nothing.
import { type Clock, toLocalIso } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { toPlainLine } from "../lib/text.ts";
import type { AgentRunner } from "../runner/runner.ts";
import type { SkillEntry } from "../skills/skill.ts";
import { englishDream } from "../words/english-dream.ts";
import {
  analyse,
  type Directive,
  type DreamFailure,
  type DreamModel,
  type DreamPass,
  describeDirective,
  dreamFiles,
} from "./dream-analysis.ts";
import { checkChanges, type DreamProblem } from "./dream-checks.ts";
import { DreamEditor } from "./dream-editor.ts";
import { frame, type MaterialPart, showEntry, showFile } from "./dream-material.ts";
import { compareLines, type DreamStage } from "./dream-stage.ts";
import type { Provenance } from "./provenance.ts";

export type DreamPrompt = "dream_phase1.md" | "dream_phase2.md";

export interface DreamGround {
  stage: DreamStage;
  provenance: Provenance;
  /** Those that exist. */
  skills: readonly SkillEntry[];
  model: DreamModel;
  runner: AgentRunner;
  clock: Clock;
  ids: Ids;
  sessionKey: string;
  signal: AbortSignal;
  readPrompt(name: DreamPrompt): Promise<string>;
}

export type PassResult =
  | { directives: Directive[] }
  | { failure: DreamFailure }
  | { problems: DreamProblem[] };

const longestDescription = 200;

export async function runPass(ground: DreamGround, pass: DreamPass): Promise<PassResult> {
  const { stage, skills } = ground;
  const analysis = await analysePass(ground, pass);
  if ("failure" in analysis || analysis.directives.length === 0) return analysis;
  const before = await stage.read(dreamFiles.MEMORY);
  const editor = await createEditor(ground, pass, analysis.directives);
  let request = await renderEdits(ground, pass, analysis.directives);
  for (const isLast of [false, true]) {
    const failure = await editor.say(request);
    if (failure !== undefined) return { failure };
    if (pass.labels.length > 0) await markSources(stage, pass.labels, before);
    const problems = await checkChanges(stage, skills);
    if (problems.length === 0) break;
    if (isLast) return { problems };
    request = renderProblems(problems);
  }
  return analysis;
}

async function analysePass(ground: DreamGround, pass: DreamPass): ReturnType<typeof analyse> {
  const { model, sessionKey, signal, ids, readPrompt } = ground;
  const system = await readPrompt("dream_phase1.md");
  const content = await renderAnalysis(ground, pass);
  const messages = [
    { role: "system" as const, content: system },
    { role: "user" as const, content },
  ];
  return analyse({ model, messages, sessionKey, turnId: ids.next(), signal }, pass);
}

async function renderAnalysis(ground: DreamGround, pass: DreamPass): Promise<string> {
  const { stage, provenance, clock, ids, skills } = ground;
  const now = clock.now();
  const code = ids.next();
  const files = stage.paths.map(async (path): Promise<MaterialPart> => {
    const text = await stage.read(path);
    const dates = await provenance.ageOf(path, text.split("\n"));
    return { name: path, text: showFile(text, { now, dates, otherwise: await stage.dateOf(path) }) };
  });
  const listed = skills.map(
    ({ name, description }) => `- ${name}: ${toPlainLine(description, longestDescription)}`,
  );
  const maySkill = pass.targets.includes("SKILL");
  return [
    `Code: ${code}`,
    `Time: ${toLocalIso(now).slice(0, 16).replace("T", " ")}`,
    `You may name: ${pass.targets.join(", ")}`,
    frame(code, [
      ...(maySkill ? [{ name: "skills", text: listed.join("\n") || "(none)" }] : []),
      ...(await Promise.all(files)),
      { name: "history", text: pass.entries.map(showEntry).join("\n") },
    ]),
  ].join("\n");
}

async function createEditor(
  ground: DreamGround,
  { targets }: DreamPass,
  directives: Directive[],
): Promise<DreamEditor> {
  const { stage, readPrompt } = ground;
  const files = toPaths(stage, targets);
  const names = directives
    .filter(({ target }) => target === "SKILL")
    .map(({ text }) => text.split(":", 1)[0]);
  const skills = names.map((name) => `skills/${name}/SKILL.md`);
  return new DreamEditor({ ...ground, files, skills, system: await readPrompt("dream_phase2.md") });
}

function toPaths(stage: DreamStage, targets: DreamPass["targets"]): string[] {
  const files = targets.flatMap((target) => (target === "SKILL" ? [] : dreamFiles[target]));
  return files.filter((file) => stage.paths.includes(file));
}

async function renderEdits(
  { stage, ids, skills }: DreamGround,
  { targets }: DreamPass,
  directives: Directive[],
): Promise<string> {
  const code = ids.next();
  const paths = toPaths(stage, targets);
  const files = paths.map(async (path) => ({ name: path, text: showFile(await stage.read(path)) }));
  const guide = skills.find(({ name, source }) => name === "skill-creator" && source === "built-in")?.path;
  const hasSkill = directives.some(({ target }) => target === "SKILL");
  return [
    `Code: ${code}`,
    `Files: ${paths.join(", ")}`,
    ...(hasSkill && guide !== undefined ? [`How to write a skill, to be read first: ${guide}`] : []),
    frame(code, [
      { name: "findings", text: directives.map(describeDirective).join("\n") },
      ...(await Promise.all(files)),
    ]),
  ].join("\n");
}

function renderProblems(problems: readonly DreamProblem[]): string {
  const lines = problems.map(
    ({ kind, path, found, most }) => `- ${englishDream.problems[kind](path, found, most)}`,
  );
  return ["Your changes cannot be accepted yet. Mend them now, with the same tools:", ...lines].join("\n");
}

/** Not left to the model: whatever it wrote while it knew a stranger's words says so. */
async function markSources(stage: DreamStage, labels: readonly string[], before: string): Promise<void> {
  const text = await stage.read(dreamFiles.MEMORY);
  const added = new Set(compareLines(before, text).added);
  const mark = ` (source: ${labels.join(", ")})`;
  const marked = text.split("\n").map((line) => {
    const isMarked = !added.has(line.trim()) || line.trimStart().startsWith("#") || line.includes(mark);
    return isMarked ? line : line.replace(/\s*$/, (end) => mark + end);
  });
  if (marked.join("\n") !== text) await stage.write(dreamFiles.MEMORY, marked.join("\n"));
}
