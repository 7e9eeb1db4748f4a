// The config, files and workspace of an installation, for a command. Skills are judged as the assistant would judge them.
import { createSignInsLoader } from "../agent/models/load-sign-ins.ts";
import { toSurroundings } from "../api/client.ts";
import { openHomes } from "../api/homes/homes.ts";
import { type MemoryOptions, openMemory } from "../api/memory/person-memory.ts";
import type { InstallationServices, Surroundings, WorkspaceServices } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";

export function openInstallation(parts: Surroundings): InstallationServices {
  let loader: Promise<SkillsLoader> | undefined;
  return {
    ...toSurroundings(parts),
    stagedSkills: new StagedSkills(),
    signIns: createSignInsLoader(parts),
    homes: openHomes(parts.paths, parts.clock),
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

export type WorkspaceParts = Surroundings & Pick<MemoryOptions, "lock" | "onVersionsProblem">;

/** The files of a workspace for a command, without the assistant: no model is needed. `opened` takes what is to be closed. */
export async function openWorkspaceServices(
  parts: WorkspaceParts,
  opened: Array<{ close(): Promise<void> }>,
): Promise<WorkspaceServices> {
  const sessions = await SessionManager.open({ ...parts, root: parts.paths.sessions });
  const { knowledge } = parts.loaded().config.memory;
  const { recall, memoryOf } = openMemory({ ...parts, knowledge, sessions, isOnce: true });
  opened.push(recall);
  return { ...toSurroundings(parts), sessions, memoryOf };
}
