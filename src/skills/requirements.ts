// Whether what a skill needs is there: programs, variables, the system, tools. Looks only, and installs nothing.
import type { SkillNote, SkillReason, SkillRequirements } from "./skill.ts";

export interface Surroundings {
  /** On the PATH that commands get. */
  hasProgram(name: string): boolean;
  env: NodeJS.ProcessEnv;
  /** Whether a command gets to see a variable. */
  isPassedOn(variable: string): boolean;
  platform: NodeJS.Platform;
  /** Registered at the moment. */
  tools: ReadonlySet<string>;
}

const systems: Record<string, NodeJS.Platform> = {
  macos: "darwin",
  mac: "darwin",
  osx: "darwin",
  windows: "win32",
};

export function findUnmet(requires: SkillRequirements, around: Surroundings): SkillReason[] {
  const { bins, anyBins, env, os, tools } = requires;
  const hasOne = anyBins.length === 0 || anyBins.some((name) => around.hasProgram(name));
  const isHere = os.length === 0 || os.some((name) => toPlatform(name) === around.platform);
  const unmet: SkillRequirements = {
    bins: bins.filter((name) => !around.hasProgram(name)),
    anyBins: hasOne ? [] : [anyBins.join(", ")],
    env: env.filter((name) => !around.env[name]),
    os: isHere ? [] : [os.join(", ")],
    tools: tools.filter((name) => !around.tools.has(name)),
  };
  const kinds = Object.keys(unmet) as Array<keyof SkillRequirements>;
  return kinds.flatMap((kind) => unmet[kind].map((subject) => ({ kind, subject })));
}

/** Variables that are set, but that a command would not see. */
export function findKeptBack({ env }: SkillRequirements, around: Surroundings): SkillNote[] {
  const keptBack = env.filter((name) => around.env[name] && !around.isPassedOn(name));
  return keptBack.map((subject) => ({ kind: "env-not-passed", subject }));
}

/** For `<requires>` in the prompt: only what a person or the assistant could put right. */
export function describeMissing(reasons: SkillReason[]): string[] {
  return reasons.flatMap(({ kind, subject }) => {
    if (kind === "bins") return [`CLI: ${subject}`];
    if (kind === "anyBins") return [`CLI: one of ${subject}`];
    return kind === "env" ? [`ENV: ${subject}`] : [];
  });
}

function toPlatform(name: string): string {
  return systems[name.toLowerCase()] ?? name.toLowerCase();
}
