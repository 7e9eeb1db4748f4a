// Dream with its real parts on a home, and nothing else of the assistant: quick to start in a process of its own.
import { join } from "node:path";
import { Dream } from "../../src/dream/dream.ts";
import { createProgramLookup } from "../../src/guards/sandbox/child-environment.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { silentLog } from "../../src/lib/log.ts";
import { AgentRunner } from "../../src/runner/runner.ts";
import { SkillsLoader } from "../../src/skills/loader.ts";
import type { Versions } from "../../src/storage/documents/versions.ts";
import { createHomeLock, type HomeLock } from "../../src/storage/home-lock.ts";
import { openDocuments } from "./documents.ts";

export interface DreamOnHome {
  dream: Dream;
  workspace: string;
  versions: Versions;
  lock: HomeLock;
}

export function createDreamOn(home: string): DreamOnHome {
  const workspace = join(home, "workspace");
  const clock = systemClock;
  const documents = openDocuments(home, clock);
  const { versions } = documents.of("owner");
  const skills = new SkillsLoader({
    workspace,
    home,
    env: { HOME: home },
    programs: createProgramLookup(""),
    tools: () => [],
  });
  const lock = createHomeLock({ home, clock });
  const dream = new Dream({
    documents,
    skills,
    runner: new AgentRunner(clock),
    readPrompt: async (name) => name,
    lock,
    ids: createIds(clock),
    log: silentLog,
    clock,
  });
  return { dream, workspace, versions, lock };
}
