// Dream with its real parts on a home, and nothing else of the assistant: quick to start in a process of its own.
import { join } from "node:path";
import { Dream } from "../../src/dream/dream.ts";
import { createProgramLookup } from "../../src/guards/program-lookup.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { silentLog } from "../../src/lib/log.ts";
import { AgentRunner } from "../../src/runner/runner.ts";
import { SkillsLoader } from "../../src/skills/loader.ts";
import { HistoryLog } from "../../src/storage/documents/history-log.ts";
import { Provenance } from "../../src/storage/documents/provenance.ts";
import { Versions } from "../../src/storage/documents/versions.ts";
import { createHomeLock, type HomeLock } from "../../src/storage/home-lock.ts";

export interface DreamOnHome {
  dream: Dream;
  workspace: string;
  versions: Versions;
  lock: HomeLock;
}

export function createDreamOn(home: string): DreamOnHome {
  const workspace = join(home, "workspace");
  const clock = systemClock;
  const versions = new Versions({ gitFolder: join(home, "versions.git"), workTree: workspace, clock });
  const skills = new SkillsLoader({
    workspace,
    home,
    env: { HOME: home },
    programs: createProgramLookup(""),
    tools: () => [],
  });
  const lock = createHomeLock({ home, clock });
  const dream = new Dream({
    workspace,
    folder: join(home, "run/dream"),
    skills,
    memoryOf: (root) => ({
      recordSkill: (path) => skills.recordAgentWritten(path),
      history: new HistoryLog(root, clock),
      provenance: new Provenance(root),
      versions,
    }),
    runner: new AgentRunner(clock),
    readPrompt: async (name) => name,
    lock,
    ids: createIds(clock),
    log: silentLog,
    clock,
  });
  return { dream, workspace, versions, lock };
}
