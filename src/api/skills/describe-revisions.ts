// Proposed changes of skills, and what became of one, in words for chat and terminal.
import type { Words } from "../../i18n/words.ts";
import type { RevisionOutcome } from "./skill-revisions.ts";

/** `restore` is the command that undoes a version. */
export function describeRevision(
  { skill, decision, version = "" }: RevisionOutcome,
  { skills }: Words,
  restore: string,
): string {
  if (decision === "refused") return skills.revisionRefused(skill);
  return decision === "applied"
    ? skills.revisionApplied(skill, `${restore} ${version}`.trim())
    : skills.revisionWaits(skill);
}
