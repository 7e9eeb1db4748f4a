// From what a skill's files say to whether it can be used here and now, with every reason why not. Looks only, and
// installs nothing.
import { basename } from "node:path";
import type { TrustView } from "../storage/grants/skill-trust.ts";
import type {
  SkillEntry,
  SkillNote,
  SkillReason,
  SkillRecord,
  SkillRequirements,
  SkillSource,
  UnmetKind,
} from "./skill.ts";

export interface Surroundings {
  /** On the PATH that commands get. */
  hasProgram(name: string): boolean;
  env: NodeJS.ProcessEnv;
  /** Whether a command gets to see a variable. */
  isPassedOn(variable: string): boolean;
  platform: NodeJS.Platform;
  /** Registered at the moment. */
  tools: ReadonlySet<string>;
  trust: TrustView;
  /** Names of skills, or of their folders. */
  disabled: ReadonlySet<string>;
}

export interface FoundSkill {
  record: SkillRecord;
  folder: string;
  source: SkillSource;
  /** Where skills of the same name are that are not used because of this one. */
  hidden: string[];
}

export function judgeSkill({ record, folder, source, hidden }: FoundSkill, around: Surroundings): SkillEntry {
  const { trust, disabled } = around;
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
    isOwn,
    isAllowed: trust.isAllowed(hash),
    isGranted: trust.isGranted(hash),
    notes,
    findings,
    files,
    hash,
  };
}

const systems: Record<string, NodeJS.Platform> = {
  macos: "darwin",
  mac: "darwin",
  osx: "darwin",
  windows: "win32",
};

function findUnmet(requires: SkillRequirements, around: Surroundings): SkillReason[] {
  const { bins, anyBins, env, os, tools } = requires;
  const hasOne = anyBins.length === 0 || anyBins.some((name) => around.hasProgram(name));
  const isHere = os.length === 0 || os.some((name) => toPlatform(name) === around.platform);
  const unmet: Record<UnmetKind, string[]> = {
    bins: bins.filter((name) => !around.hasProgram(name)),
    "any-bins": hasOne ? [] : [anyBins.join(", ")],
    env: env.filter((name) => !around.env[name]),
    os: isHere ? [] : [os.join(", ")],
    tools: tools.filter((name) => !around.tools.has(name)),
  };
  const kinds = Object.keys(unmet) as UnmetKind[];
  return kinds.flatMap((kind) => unmet[kind].map((subject) => ({ kind, subject })));
}

/** Variables that are set, but that a command would not see. */
function findKeptBack({ env }: SkillRequirements, around: Surroundings): SkillNote[] {
  const keptBack = env.filter((name) => around.env[name] && !around.isPassedOn(name));
  return keptBack.map((subject) => ({ kind: "env-not-passed", subject }));
}

/** For `<requires>` in the prompt: only what a person or the assistant could fix. */
function describeMissing(reasons: SkillReason[]): string[] {
  return reasons.flatMap(({ kind, subject }) => {
    if (kind === "bins") return [`CLI: ${subject}`];
    if (kind === "any-bins") return [`CLI: one of ${subject}`];
    return kind === "env" ? [`ENV: ${subject}`] : [];
  });
}

function toPlatform(name: string): string {
  return systems[name.toLowerCase()] ?? name.toLowerCase();
}
