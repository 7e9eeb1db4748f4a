// The tools of the assistant with their guards around them.
import { join } from "node:path";
import { readTrust } from "../agent/trust.ts";
import type { Origin } from "../bus/types.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createFileRoots, type FileRoots } from "../guards/file-roots.ts";
import { isInside } from "../guards/path-text.ts";
import type { RememberedApprovals } from "../guards/remembered-approvals.ts";
import { createSkillWriteJudge } from "../guards/skill-writes.ts";
import { combineJudges, createCommandJudge, withApproval } from "../guards/with-approval.ts";
import { withOffload } from "../guards/with-offload.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ImageLimits } from "../llm/image-limits.ts";
import { recordMemoryWrites } from "../memory/record-memory-writes.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { Tool, ToolWrapper } from "../runner/tool.ts";
import type { SessionStore } from "../session/store.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { recordSkillWrites } from "../skills/record-skill-writes.ts";
import { createTools, type ToolsOptions } from "../tools/index.ts";
import { buildSkills } from "./build-skills.ts";

export interface ToolParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  imageLimits?: ImageLimits;
  /** Absent: nothing is recalled. */
  memory?: ToolsOptions["memory"];
  /** What the owner has allowed for ever; absent: nothing. */
  remembered?: RememberedApprovals;
  /** Absent: no session is trusted. */
  sessions?: SessionStore;
  /** Beside the built-in ones. */
  tools?: Tool[];
}

export interface BuiltTools {
  tools: ToolRegistry;
  roots: FileRoots;
  skills: SkillsLoader;
  /** All guards around a tool. */
  guard: ToolWrapper;
}

export function buildTools(parts: ToolParts): BuiltTools {
  const { paths, loaded, imageLimits, clock, log } = parts;
  const { approval } = loaded.config.tools;
  const skills = buildSkills(parts, () => tools.names);
  const roots = createRoots(parts, skills);
  const judge = combineJudges(createCommandJudge(roots), createSkillWriteJudge(roots));
  const approve = withApproval({
    mode: approval,
    judge,
    remembered: parts.remembered,
    placeOf: ({ origin }) => roots.rootFor(origin),
    isTrusted: async ({ sessionKey }) => {
      const session = await parts.sessions?.open(sessionKey);
      return readTrust(session?.metadata ?? {}, clock.now()) !== undefined;
    },
  });
  const recordSkill = recordSkillWrites(skills, roots);
  const recordMemory = recordMemoryWrites({ roots, clock, log });
  const offload = withOffload({
    resultsFolderFor: (origin) => resultsFolder(paths, origin),
    mediaFolder: paths.media,
    imageLimits,
    limit: loaded.config.agents.defaults.maxToolResultChars,
    clock,
    log,
  });
  const bare = [...createTools({ roots, ...toToolsOptions(parts) }), ...(parts.tools ?? [])];
  const guard: ToolWrapper = (tool) => offload(approve(recordSkill(recordMemory(tool))));
  const tools = new ToolRegistry(bare.map(guard));
  return { tools, roots, skills, guard };
}

function createRoots({ paths, loaded, workspace }: ToolParts, skills: SkillsLoader): FileRoots {
  return createFileRoots({
    workspaceFor: (origin) => personRoot(workspace, origin),
    // The media of the owner; a guest's attachments will have a folder of their own.
    readRoots: (origin) => [
      resultsFolder(paths, origin),
      ...(origin.role === "owner" ? [paths.media] : []),
      ...skills.roots(),
    ],
    isRestricted: loaded.config.tools.restrictToWorkspace,
    protectedPaths: [
      paths.config,
      paths.lastGood,
      paths.sessions,
      paths.run,
      paths.backup,
      paths.toolResults,
      paths.cache,
      join(paths.home, "versions"),
      join(paths.home, "skills.json"),
      join(paths.home, "approvals.json"),
      ...skills.roots().filter((root) => !isInside(root, workspace)),
    ],
  });
}

function toToolsOptions({ loaded, env, clock, memory }: ToolParts): Omit<ToolsOptions, "roots"> {
  const { file, exec } = loaded.config.tools;
  const { timeout: timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend } = exec;
  const options = { timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend, environment: env, clock };
  return { hasFiles: file.enable, ...(exec.enable && { exec: options }), memory };
}

/** A guest and a group have a folder of their own; the workspace is the owner's. */
function personRoot(workspace: string, { group, role, person }: Origin): string {
  if (group !== undefined) return join(workspace, "groups", toFolderName(group));
  return role === "owner" ? workspace : join(workspace, "people", toFolderName(person));
}

function resultsFolder({ toolResults }: HomePaths, { group, role, person }: Origin): string {
  if (group !== undefined) return join(toolResults, `group-${toFolderName(group)}`);
  return join(toolResults, role === "owner" ? "owner" : `guest-${toFolderName(person)}`);
}

/** Dots too: somebody may be called `..`. */
function toFolderName(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E");
}
