// Operations about revisions that Dream proposes for the assistant's own skills: what waits, measured by use, and the
// owner's decision. Applying one makes a version, which is the way back.
import * as z from "zod";
import { type Choice, noChoice } from "../../bus/ask.ts";
import { toSkillFile } from "../../dream/skill-revisions.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import type { MemoryStore } from "../../storage/documents/memory-store.ts";
import type { SkillRevision, SkillUse } from "../../storage/documents/skill-learning.ts";
import { type OperationRun, operation } from "../operation.ts";
import type { Whose, WorkspaceServices } from "../services.ts";

export interface RevisionView extends Pick<SkillRevision, "skill" | "at" | "reason"> {
  /** What would change, as a diff. */
  diff: string;
}

/** How often a version of a skill was read, and in how many of these turns all went well. The newest last. */
export type SkillUseView = Pick<SkillUse, "skill" | "hash" | "read" | "succeeded">;

export interface SkillRevisions {
  waiting(): Promise<SkillRevision[]>;
  uses(): Promise<SkillUse[]>;
  /** The id of the version, for the way back; undefined where none can be kept. */
  apply(revision: SkillRevision): Promise<string | undefined>;
  refuse(revision: SkillRevision): Promise<void>;
}

const longestDiff = 20_000;
const owner: Whose = { role: "owner", person: "owner" };
const choices: readonly Choice[] = [
  { id: "apply", phrase: phrase("skills.revision-apply") },
  { id: "refuse", phrase: phrase("skills.revision-refuse") },
  { id: noChoice, phrase: phrase("skills.revision-later") },
];

/** Callers hold the home lock when they decide. */
export function openSkillRevisions(store: MemoryStore): SkillRevisions {
  const { learning, versions } = store;
  return {
    waiting: async () => (await learning.read()).revisions.filter(({ state }) => state === "waiting"),
    uses: async () => (await learning.read()).uses,
    async apply({ id, skill, before, after }) {
      const path = toSkillFile(skill);
      const now = await store.readText(path);
      if (now !== before && now !== after) throw fail("skills.revision-outdated", { name: skill });
      await versions.commit({ kind: "start", paths: [path] });
      await store.write(path, after);
      const version = await versions.commit({ kind: "dream", paths: [path] });
      await learning.settle(id, "applied");
      return version?.id;
    },
    refuse: ({ id }) => learning.settle(id, "refused"),
  };
}

const listRevisions = operation({
  name: "skills.revisions",
  about:
    "Changes that Dream proposes for skills that the assistant wrote, and how often each version of these skills was read and followed by success.",
  access: "owner",
  needs: "workspace",
  params: z.strictObject({}),
  async run(services): Promise<{ revisions: RevisionView[]; uses: SkillUseView[] }> {
    const of = services.memoryOf(owner).revisions;
    const uses = (await of.uses()).map(({ skill, hash, read, succeeded }) => ({
      skill,
      hash,
      read,
      succeeded,
    }));
    return { revisions: await Promise.all((await of.waiting()).map(toView)), uses };
  },
});

const revise = operation({
  name: "skills.revise",
  about:
    "Applies or refuses the change that Dream proposes for a skill; without a decision, after a question.",
  access: "owner",
  needs: "workspace",
  changes: ["skills", "memory"],
  params: z.strictObject({
    name: z.string().min(1).max(200),
    decision: z.enum(["apply", "refuse"]).optional(),
  }),
  async *run(services, { name, decision }): OperationRun<RevisionOutcome> {
    const revision = await findWaiting(services, name);
    const chosen = decision ?? (yield { type: "question", question: await toQuestion(revision) });
    const of = services.memoryOf(owner).revisions;
    if (chosen === "apply") {
      const version = await of.apply(revision);
      return { skill: revision.skill, decision: "applied", ...(version !== undefined && { version }) };
    }
    if (chosen === "refuse") await of.refuse(revision);
    return { skill: revision.skill, decision: chosen === "refuse" ? "refused" : "waiting" };
  },
});

/** `version` undoes it: `memory.restore`. */
export interface RevisionOutcome {
  skill: string;
  decision: "applied" | "refused" | "waiting";
  version?: string;
}

export const revisionOperations = [listRevisions, revise] as const;

async function findWaiting({ memoryOf }: WorkspaceServices, name: string): Promise<SkillRevision> {
  const revision = (await memoryOf(owner).revisions.waiting()).find(({ skill }) => skill === name);
  if (revision === undefined) throw fail("skills.no-revision", { name: revealLine(name) });
  return revision;
}

async function toQuestion(revision: SkillRevision) {
  const { skill: name, reason, diff } = await toView(revision);
  return { phrase: phrase("skills.revision", { name, reason }), detail: diff, choices };
}

async function toView({ skill, at, reason, before, after }: SkillRevision): Promise<RevisionView> {
  const diff = (await diffLines(before, after, longestDiff)) ?? after.slice(0, longestDiff);
  return { skill, at, reason: revealLine(reason), diff: reveal(diff) };
}
