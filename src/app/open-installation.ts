// The config and files of an installation for a command: nothing else is opened. Skills are judged as the assistant itself
// would judge them.
import { join } from "node:path";
import type { InstallationServices, Surroundings } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import { createRedactor } from "../lib/redact.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { TaintedFiles } from "../storage/grants/tainted-files.ts";
import { toSurroundings } from "./open-client.ts";

export function openInstallation(parts: Surroundings): InstallationServices {
  let loader: Promise<SkillsLoader> | undefined;
  return {
    ...toSurroundings(parts),
    stagedSkills: new StagedSkills(),
    skills() {
      loader ??= openSkills(parts);
      return loader;
    },
  };
}

function neverCalled(): never {
  throw new Error("a tool was called while skills were looked at");
}

/** Tools that need the running assistant: a skill that requires one is judged by its name. */
const namedOnly = {
  memory: { search: neverCalled, read: neverCalled },
  message: { canReach: neverCalled, publish: neverCalled, folder: "" },
  spawn: neverCalled,
  cron: { open: neverCalled, timeZone: "UTC" },
};

async function openSkills({ loaded, ...parts }: Surroundings): Promise<SkillsLoader> {
  const { buildTools } = await import("./build-tools.ts");
  const tainted = new TaintedFiles(join(parts.paths.home, "taint.jsonl"));
  const guards = { redactor: createRedactor(), tainted };
  const disabledSkills = () => loaded().config.agents.defaults.disabledSkills;
  return buildTools({ ...parts, ...guards, ...namedOnly, loaded: loaded(), disabledSkills }).skills;
}
