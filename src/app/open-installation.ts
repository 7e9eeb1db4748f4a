// The config and files of an installation, for a command. Skills are judged as the assistant would judge them.
import { toSurroundings } from "../api/client.ts";
import type { InstallationServices, Surroundings } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import type { SkillsLoader } from "../skills/loader.ts";

export function openInstallation(parts: Surroundings): InstallationServices {
  let loader: Promise<SkillsLoader> | undefined;
  return {
    ...toSurroundings(parts),
    stagedSkills: new StagedSkills(),
    skills() {
      loader ??= loadSkills(parts);
      return loader;
    },
  };
}

async function loadSkills({ loaded, ...parts }: Surroundings): Promise<SkillsLoader> {
  const { openSkills } = await import("../skills/open-skills.ts");
  const { listToolNames } = await import("../tools/index.ts");
  const { skills: settings, tools } = loaded().config;
  const names = listToolNames(tools);
  return openSkills({
    ...parts,
    settings,
    exec: tools.exec,
    disabled: () => loaded().config.agents.defaults.disabledSkills,
    tools: () => names,
  });
}
