// The tools of the assistant with their guards around them.
import { join } from "node:path";
import { mediaFolderOf } from "../api/files/media-folder.ts";
import type { Origin } from "../bus/types.ts";
import { recordMemoryWrites } from "../dream/record-memory-writes.ts";
import { createFileRoots, type FileRoots } from "../guards/file-roots.ts";
import { toRealRoot } from "../guards/real-path.ts";
import { recordSkillWrites } from "../guards/record-skill-writes.ts";
import { withHeldHome } from "../guards/with-held-home.ts";
import type { ImageLimits } from "../llm/image-limits.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { Tool, ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { CommandChanges } from "../storage/changes/command-changes.ts";
import { UndoLog } from "../storage/changes/undo-log.ts";
import { announceChange, durabilityOf } from "../storage/served-homes.ts";
import type { ExecOptions } from "../tools/exec.ts";
import { createTools, type ToolsOptions } from "../tools/index.ts";
import { ProcessTable } from "../tools/process-table.ts";
import { buildCommandPolicy, toCommandFacts } from "./build-command-policy.ts";
import { buildGuards, type GuardParts } from "./build-guards.ts";
import { buildSandbox } from "./build-sandbox.ts";
import { buildSkills } from "./build-skills.ts";
import { buildWeb } from "./build-web.ts";
import { personRoot, resultsFolder } from "./person-folders.ts";

export interface ToolParts extends GuardParts {
  env: NodeJS.ProcessEnv;
  imageLimits?: ImageLimits;
  /** Absent: nothing is recalled. */
  memory?: ToolsOptions["memory"];
  /** Beside the built-in ones. */
  tools?: Tool[];
  message?: ToolsOptions["message"];
  spawn?: ToolsOptions["spawn"];
  cron?: ToolsOptions["cron"];
  disabledSkills?(): readonly string[];
}

export interface BuiltTools {
  tools: ToolRegistry;
  roots: FileRoots;
  skills: SkillsLoader;
  /** What the files were before each turn. */
  undo: UndoLog;
  /** All guards around a tool. */
  guard: ToolWrapper;
  /** Commands that are left running. */
  processes: ProcessTable;
  /** To be closed. */
  changes: CommandChanges;
}

export function buildTools(parts: ToolParts): BuiltTools {
  const { paths, loaded, imageLimits, clock, log } = parts;
  const skills = buildSkills(parts, () => tools.names);
  const roots = createRoots(parts, skills);
  const recordSkill = recordSkillWrites(skills, roots);
  const recordMemory = recordMemoryWrites({ roots, clock, log });
  const held = withHeldHome(() => durabilityOf(paths.home));
  const folder = join(paths.home, "undo");
  const undo = new UndoLog({ folder, clock, log });
  const skips = [paths.home, join(parts.workspace, "people"), join(parts.workspace, "groups")].map(
    toRealRoot,
  );
  const changes = new CommandChanges({
    folder,
    skips,
    onChanged: (changed) => changed.forEach(announceChange),
  });
  const processes = new ProcessTable(clock);
  const sandbox = buildSandbox(parts, {
    rootFor: roots.rootFor,
    readRootsFor: (origin) => readRoots(parts, skills, origin),
  });
  const policy = buildCommandPolicy({ ...parts, roots, sandbox });
  const guard = buildGuards(parts, {
    roots,
    skills,
    record: (tool) => recordSkill(recordMemory(held(tool))),
    changes,
    undo,
    policy,
    commands: toCommandFacts(policy),
    offload: {
      resultsFolderFor: (origin) => resultsFolder(paths, origin),
      mediaFolder: paths.media,
      imageLimits,
      limit: loaded.config.agents.defaults.maxToolResultChars,
      clock,
      log,
    },
  });
  const needsNetwork: ExecOptions["needsNetwork"] = async (command, place) =>
    (await policy.judge(command, place)).needsNetwork;
  const options = toToolsOptions(parts, { sandbox, processes, needsNetwork });
  const bare = [...createTools({ roots, ...options }), ...(parts.tools ?? [])];
  const tools = new ToolRegistry(bare.map(guard));
  return { tools, roots, skills, undo, guard, processes, changes };
}

function createRoots({ paths, loaded, workspace }: ToolParts, skills: SkillsLoader): FileRoots {
  return createFileRoots({
    workspaceFor: (origin) => personRoot(workspace, origin),
    readRoots: (origin) => readRoots({ paths }, skills, origin),
    isRestricted: loaded.config.tools.restrictToWorkspace,
    home: { folder: paths.home, workspace },
  });
}

/** In private, the owner sees the media of everybody. */
function readRoots({ paths }: Pick<ToolParts, "paths">, skills: SkillsLoader, origin: Origin): string[] {
  return [resultsFolder(paths, origin), mediaFolderOf(paths, origin) ?? paths.media, ...skills.roots()];
}

function toToolsOptions(
  parts: ToolParts,
  commands: Pick<ExecOptions, "sandbox" | "processes" | "needsNetwork">,
): Omit<ToolsOptions, "roots"> {
  const { loaded, env, clock, memory, message, spawn, cron } = parts;
  const { file, exec } = loaded.config.tools;
  const { timeout: timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend } = exec;
  const settings = { timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend };
  const options = { ...settings, ...commands, environment: env, clock };
  const web = buildWeb(parts);
  return { hasFiles: file.enable, ...(exec.enable && { exec: options }), memory, web, message, spawn, cron };
}
