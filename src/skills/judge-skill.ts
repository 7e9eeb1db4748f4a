// From what a skill's files say to whether it can be used here and now, with every reason why not.
import { basename } from "node:path";
import { describeMissing, findKeptBack, findUnmet, type Surroundings } from "./requirements.ts";
import type { SkillEntry, SkillNote, SkillReason, SkillRecord, SkillSource } from "./skill.ts";
import type { TrustView } from "./trust.ts";

export interface Judgement {
  around: Surroundings;
  trust: TrustView;
  /** Names of skills, or of their folders. */
  disabled: ReadonlySet<string>;
}

export interface FoundSkill {
  record: SkillRecord;
  folder: string;
  source: SkillSource;
  /** Where skills of the same name lie that are not used because of this one. */
  hidden: string[];
}

export function judgeSkill({ record, folder, source, hidden }: FoundSkill, judgement: Judgement): SkillEntry {
  const { around, trust, disabled } = judgement;
  const { manifest, unusable, hash, path, files, findings } = record;
  const { name, requires } = manifest;
  const isDisabled = disabled.has(name) || disabled.has(basename(folder));
  const isBlocked = findings.length > 0 && source !== "built-in" && !trust.isAllowed(hash);
  const reasons: SkillReason[] = [
    ...(unusable === undefined ? [] : [unusable]),
    ...(isDisabled ? [{ kind: "disabled" as const, subject: name }] : []),
    ...(isBlocked ? [{ kind: "flagged" as const, subject: name }] : []),
    ...findUnmet(requires, around),
  ];
  const isOwn = source !== "built-in" && trust.isWrittenByAssistant({ hash, folder });
  const notes: SkillNote[] = [
    ...manifest.notes,
    ...findKeptBack(requires, around),
    ...(files.includes("requirements.txt") ? [{ kind: "needs-packages" as const, subject: folder }] : []),
    ...(isOwn && manifest.always ? [{ kind: "written-by-assistant" as const, subject: name }] : []),
    ...hidden.map((subject) => ({ kind: "hides" as const, subject })),
  ];
  const available = reasons.length === 0;
  return {
    ...manifest,
    path,
    folder,
    source,
    always: manifest.always && available && !isOwn,
    available,
    reasons,
    missing: describeMissing(reasons),
    blocked: isBlocked,
    disabled: isDisabled,
    isAllowed: trust.isAllowed(hash),
    notes,
    findings,
    files,
    hash,
  };
}
