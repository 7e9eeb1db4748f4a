// Skills as clients see them. What comes from files is made visible here: nothing in it can hide from a reader.
import type { Phrase } from "../../i18n/phrase.ts";
import { phraseAbout } from "../../i18n/words.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import type { SkillEntry, SkillFinding, SkillNote, SkillReason } from "../../skills/skill.ts";
import { readBody } from "../../skills/skill-folder.ts";
import { readFirstBytes } from "../../storage/files/folder-entries.ts";
import { type Addition, compareFolders } from "./staged-skills.ts";

export type SkillState = "ready" | "always" | "off" | "blocked" | "unusable";

export interface SkillCard
  extends Pick<
    SkillEntry,
    "source" | "available" | "blocked" | "disabled" | "always" | "isAllowed" | "isGranted" | "hash" | "wants"
  > {
  name: string;
  /** As its file says it. */
  description: string;
  about: Phrase;
  path: string;
  state: SkillState;
  /** Why it cannot be used. */
  reasons: SkillReason[];
  findings: SkillFinding[];
  /** Of what it teaches, when it is used. */
  tokens: number;
  isRemovable: boolean;
}

export interface ShownSkill extends SkillCard, Pick<SkillEntry, "requires" | "data"> {
  folder: string;
  body: string;
  notes: SkillNote[];
  files: string[];
}

/** A skill that would be copied, and nothing of it is yet. */
export interface StagedSkill {
  stage: string;
  name: string;
  description: string;
  /** That it would be copied to. */
  folder: string;
  body: string;
  tokens: number;
  files: Array<{ path: string; size: number }>;
  findings: SkillFinding[];
  notes: SkillNote[];
  /** Of a skill that is there. */
  changes: Phrase[];
  isReplacing: boolean;
}

export async function toCard(entry: SkillEntry): Promise<SkillCard> {
  const { source, available, blocked, disabled, always, isAllowed, isGranted, hash } = entry;
  return {
    name: revealLine(entry.name),
    description: revealLine(entry.description),
    about: phraseAbout(entry),
    path: revealLine(entry.path),
    source,
    state: stateOf(entry),
    available,
    blocked,
    disabled,
    always,
    reasons: entry.reasons.map(showSubject),
    findings: entry.findings.map(showFinding),
    isAllowed,
    isGranted,
    wants: showWants(entry.wants),
    isRemovable: isRemovable(entry),
    tokens: estimateTokens(await readText(entry)),
    hash,
  };
}

export async function toShown(entry: SkillEntry): Promise<ShownSkill> {
  const { requires, data, folder, notes, files } = entry;
  return {
    ...(await toCard(entry)),
    folder: revealLine(folder),
    body: reveal(await readText(entry)),
    notes: notes.map(showSubject),
    files: files.map(revealLine),
    requires,
    data,
  };
}

export async function toStaged(stage: string, addition: Addition): Promise<StagedSkill> {
  const { name, skill, files, from, to, isReplacing } = addition;
  const body = (await readBody(skill.path, readFirstBytes)) ?? "";
  return {
    stage,
    name,
    description: revealLine(skill.manifest.description),
    folder: revealLine(to),
    body: reveal(body),
    tokens: estimateTokens(body),
    files: files.map(({ path, size }) => ({ path: revealLine(path), size })),
    findings: skill.findings.map(showFinding),
    notes: skill.manifest.notes.map(showSubject),
    changes: isReplacing ? await compareFolders(to, from) : [],
    isReplacing,
  };
}

function showWants({ commands, hosts, tooMuch }: SkillEntry["wants"]): SkillEntry["wants"] {
  return {
    commands: commands.map(revealLine),
    hosts: hosts.map(revealLine),
    tooMuch: tooMuch.map(revealLine),
  };
}

export function showFinding(finding: SkillFinding): SkillFinding {
  return { ...finding, file: revealLine(finding.file), excerpt: revealLine(finding.excerpt) };
}

export function showSubject<Fact extends SkillReason | SkillNote>(fact: Fact): Fact {
  return { ...fact, subject: revealLine(fact.subject) };
}

/** Only what belongs to this installation: other programs share the other places. */
export function isRemovable({ source }: Pick<SkillEntry, "source">): boolean {
  return source === "user" || source === "workspace";
}

function stateOf({ always, available, blocked, disabled }: SkillEntry): SkillState {
  if (available) return always ? "always" : "ready";
  if (disabled) return "off";
  return blocked ? "blocked" : "unusable";
}

/** Also of a skill that cannot be used: a person has to be able to read what was flagged. */
async function readText({ reasons, path }: SkillEntry): Promise<string> {
  const isReadable = reasons.every(({ kind }) => kind !== "leads-outside" && kind !== "unreadable");
  return (isReadable && (await readBody(path, readFirstBytes))) || "";
}
