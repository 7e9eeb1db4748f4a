// The memory of a workspace: the index over all that was said and written, the versions of everyone's memory files, and
// what each person or group has of it. Needs no model.
import { basename, join, relative, sep } from "node:path";
import { openPersonMemory, type PersonMemory } from "../api/memory/person-memory.ts";
import type { Whose } from "../api/services.ts";
import { toRealRoot } from "../guards/real-path.ts";
import type { Recall } from "../recall/recall.ts";
import { Versions, type VersionsOptions } from "../storage/documents/versions.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import { scopeOf } from "../storage/scope.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { buildRecall, type RecallParts } from "./build-recall.ts";
import { personRoot } from "./person-folders.ts";

export interface MemoryParts extends RecallParts {
  sessions: SessionManager;
  lock: HomeLock;
  /** Default: a line in the log. */
  onVersionsProblem?: VersionsOptions["onProblem"];
}

export interface BuiltMemory {
  recall: Recall;
  versionsFor(root: string): Versions;
  memoryOf(whose: Whose): PersonMemory;
}

export function buildMemory(parts: MemoryParts): BuiltMemory {
  const { sessions, workspace } = parts;
  const recall = buildRecall(parts, sessions.folder);
  const versionsFor = buildVersions(parts);
  return {
    recall,
    versionsFor,
    memoryOf: (whose) =>
      openPersonMemory(
        { ...parts, recall, versionsFor },
        { root: personRoot(workspace, whose), scope: scopeOf(whose) },
      ),
  };
}

/** Kept in the home, apart from any repository of the workspace. `root` is the workspace, or a guest's or group's folder. */
export function buildVersions(
  parts: Pick<MemoryParts, "paths" | "workspace" | "sessions" | "clock" | "log" | "onVersionsProblem">,
): (root: string) => Versions {
  const { paths, workspace, sessions, clock, log } = parts;
  const { onVersionsProblem: onProblem = (problem) => log.warn("versions-problem", { ...problem }) } = parts;
  // The name of the sessions' folder stands for the workspace, also after that was moved.
  const folder = join(paths.home, "versions", basename(sessions.folder));
  return (root) => {
    const whose = relative(toRealRoot(workspace), toRealRoot(root)).replaceAll(sep, "-") || "owner";
    return new Versions({ gitFolder: join(folder, `${whose}.git`), workTree: root, clock, onProblem });
  };
}
