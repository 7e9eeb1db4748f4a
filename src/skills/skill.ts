// What is known of a skill, as data. The words for kinds and rules are in words/.
import type { SkillFinding } from "./scanner.ts";

export type { SkillFinding } from "./scanner.ts";

/** From the first that is looked into to the last; the first skill of a name wins. */
export type SkillSource = "workspace" | "user" | "agents" | "directory" | "built-in";

export interface SkillRequirements {
  /** Programs, all of them. */
  bins: string[];
  /** Programs, one of them. */
  anyBins: string[];
  /** Environment variables. */
  env: string[];
  /** Systems, one of them. */
  os: string[];
  /** Tools of the assistant. */
  tools: string[];
}

/** Something that a person should know and that does not keep the skill from working. */
export interface SkillNote {
  kind:
    | "no-front-matter"
    | "invalid-front-matter"
    | "wrong-type"
    | "no-description"
    | "long-description"
    | "odd-name"
    | "name-differs"
    | "long-body"
    | "env-not-passed"
    | "needs-packages"
    | "written-by-assistant"
    | "hides";
  /** What it is about: a key, a variable, a path. */
  subject: string;
}

export type UnmetKind = "bins" | "any-bins" | "env" | "os" | "tools";

/** What `allowed-tools` names and an owner can grant. */
export interface SkillWants {
  /** As rules of commands: `gh issue *`. */
  commands: string[];
  hosts: string[];
  /** As it is written: asks for more than a grant can give, such as any command. */
  tooMuch: string[];
}

/** Why a skill cannot be used. */
export interface SkillReason {
  kind: "disabled" | "flagged" | "leads-outside" | "unreadable" | UnmetKind;
  subject: string;
}

/** What SKILL.md says of itself. */
export interface SkillManifest {
  name: string;
  description: string;
  always: boolean;
  requires: SkillRequirements;
  wants: SkillWants;
  /** The front matter as it stands, unknown keys too. */
  data: Record<string, unknown>;
  notes: SkillNote[];
}

/** What the files of a skill's folder say, wherever it is used. */
export interface SkillRecord {
  manifest: SkillManifest;
  /** Of SKILL.md. */
  path: string;
  /** Relative to the folder, sorted. */
  files: string[];
  /** Of the content of all files. */
  hash: string;
  findings: SkillFinding[];
  unusable?: SkillReason;
}

export interface SkillEntry extends SkillManifest, Omit<SkillRecord, "manifest" | "unusable"> {
  folder: string;
  source: SkillSource;
  /** In every prompt in full: wanted, usable, and not written by the assistant itself. */
  always: boolean;
  available: boolean;
  /** Empty for an available skill. */
  reasons: SkillReason[];
  /** What has to be installed or set first, for the prompt: `CLI: ffmpeg`, `ENV: OPENAI_API_KEY`. */
  missing: string[];
  blocked: boolean;
  disabled: boolean;
  /** The assistant wrote it. */
  isOwn: boolean;
  /** The owner has looked at exactly this and said that it may be used. */
  isAllowed: boolean;
  /** The owner has granted what it wants, to exactly this content. */
  isGranted: boolean;
}
