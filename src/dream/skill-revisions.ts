// Skills that improve with use: what Dream knows of the assistant's own skills, and the revisions that it proposes. A
// revision changes nothing: the owner reads it as a diff and decides.
import type { SkillEntry } from "../skills/skill.ts";
import { isOwnSkill } from "../skills/skill-use.ts";
import type { MemoryStore } from "../storage/documents/memory-store.ts";
import type { SkillRevision } from "../storage/documents/skill-learning.ts";
import type { StagedChange } from "../storage/documents/staged-copy.ts";
import type { Directive } from "./dream-analysis.ts";

const mostSkills = 30;
const mostRefusals = 3;

export function toSkillFile(name: string): string {
  return `skills/${name}/SKILL.md`;
}

/** Those that may be revised: the assistant wrote them, and they are where their names say. */
export function findOwnSkills(skills: readonly SkillEntry[]): SkillEntry[] {
  const isInPlace = ({ name, path }: SkillEntry) =>
    path.replaceAll("\\", "/").endsWith(`/${toSkillFile(name)}`);
  return skills.filter((entry) => isOwnSkill(entry) && isInPlace(entry)).slice(0, mostSkills);
}

/** The statistics of each skill, as the end of its line in the list. */
export async function describeExperience(
  { learning }: MemoryStore,
  own: readonly SkillEntry[],
): Promise<Map<string, string>> {
  if (own.length === 0) return new Map();
  const { uses, revisions } = await learning.read();
  const refusalsOf = (name: string) =>
    revisions.filter(({ skill, state }) => skill === name && state === "refused").slice(-mostRefusals);
  return new Map(
    own.map(({ name, hash }) => {
      const use = uses.find((one) => one.skill === name && one.hash === hash);
      const facts = [
        "yours",
        use === undefined ? "not read yet" : `read in ${use.read} turns, ${use.succeeded} of them went well`,
        ...(use === undefined || use.failedTools.length === 0
          ? []
          : [`failed at: ${use.failedTools.join(", ")}`]),
        ...refusalsOf(name).map(({ reason }) => `the user refused: ${reason}`),
      ];
      return [name, ` (${facts.join("; ")})`];
    }),
  );
}

/** Returns the names of the skills that a revision is proposed for. */
export async function proposeRevisions(
  { learning }: MemoryStore,
  changes: readonly StagedChange[],
  { directives, id, now }: { directives: readonly Directive[]; id: string; now: number },
): Promise<string[]> {
  if (changes.length === 0) return [];
  const proposed = changes.map(({ path, before = "", after }): Omit<SkillRevision, "state"> => {
    const skill = path.split("/")[1] ?? "";
    const said = directives.find(({ revises }) => revises === skill)?.text ?? "";
    return { id: `${id}-${skill}`, skill, at: now, reason: said.replace(`${skill}: `, ""), before, after };
  });
  await learning.propose(proposed);
  // Refused changes are not proposed again.
  const { revisions } = await learning.read();
  return proposed.filter(({ id: own }) => revisions.some((one) => one.id === own)).map(({ skill }) => skill);
}
