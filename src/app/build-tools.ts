// The built-in tools, each wrapped in all guards.

import { homedir } from "node:os";
import type { TurnDependencies } from "../agent/dependencies.ts";
import type { Origin } from "../bus/types.ts";
import { isKnownChat } from "../channels/access.ts";
import { recordMemoryWrites } from "../dream/record-memory-writes.ts";
import { type CommandPolicy, createCommandPolicy } from "../guards/command/command-policy.ts";
import { createFileRoots, type FileRoots } from "../guards/files/file-roots.ts";
import { toRealRoot } from "../guards/files/real-path.ts";
import { findLastingChanges } from "../guards/labels/lasting-changes.ts";
import { createPromptFileRule, listPromptFiles } from "../guards/labels/prompt-files.ts";
import { createCommandSandbox } from "../guards/sandbox/command-sandbox.ts";
import type { Sandbox } from "../guards/sandbox/sandbox.ts";
import { withHeldHome } from "../guards/wrappers/with-changes.ts";
import type { ImageLimits } from "../llm/hosts/host.ts";
import { ToolRegistry } from "../runner/registry.ts";
import type { Tool, ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { openSkills } from "../skills/open-skills.ts";
import { recordSkillWrites } from "../skills/skill-guards.ts";
import { SkillUseCounter } from "../skills/skill-use.ts";
import { ResultStore } from "../storage/blobs/result-store.ts";
import { CommandChanges } from "../storage/changes/command-changes.ts";
import { UndoLog } from "../storage/changes/undo-log.ts";
import type { Documents } from "../storage/documents/memory-store.ts";
import { PairingStore } from "../storage/people/pairing-store.ts";
import { ownerScope, scopeOf } from "../storage/scope.ts";
import { mediaOf, resultsOf, rootOf, scopeFolders } from "../storage/scope-folders.ts";
import { announceChange, durabilityOf } from "../storage/served-homes.ts";
import type { ExecOptions } from "../tools/commands/exec.ts";
import { ProcessTable } from "../tools/commands/process-table.ts";
import { createTools, type ToolsOptions } from "../tools/index.ts";
import { toWebOptions } from "../tools/web/web-options.ts";
import { buildGuards } from "./build-guards.ts";
import type { Environment, Storage } from "./open-storage.ts";

export interface ToolOptions {
  imageLimits: ImageLimits | undefined;
  documents: Documents;
  memory: ToolsOptions["memory"];
  /** In addition to the built-in ones. */
  tools: readonly Tool[];
  disabledSkills(): readonly string[];
}

export interface BuiltTools {
  registry: ToolRegistry;
  roots: FileRoots;
  skills: SkillsLoader;
  skillUse: SkillUseCounter;
  /** What the files were before each turn. */
  undo: UndoLog;
  /** All guards around a tool. */
  guard: ToolWrapper;
  /** Commands that are left running. */
  processes: ProcessTable;
  /** Full texts of long results. */
  results: ResultStore;
  /** To be closed. */
  changes: CommandChanges;
  sandbox: Sandbox;
  /** What a turn changed of what later conversations begin with. */
  findLasting: NonNullable<TurnDependencies["findLasting"]>;
}

export function buildTools(storage: Storage, options: ToolOptions): BuiltTools {
  const { environment, loaded } = storage;
  const { paths, workspace, env, clock, log, timeZone } = environment;
  const parts = { ...environment, loaded };
  const registry = new ToolRegistry();
  const skills = openSkills({
    ...environment,
    settings: loaded.config.skills,
    exec: loaded.config.tools.exec,
    disabled: options.disabledSkills,
    tools: () => registry.names,
  });
  const roots = createRoots(parts, skills);
  const recordSkill = recordSkillWrites(skills, roots);
  const recordMemory = recordMemoryWrites({ roots, documents: options.documents, clock, log });
  const { learning } = options.documents.of(ownerScope);
  const skillUse = new SkillUseCounter({ skills, roots, learning, log });
  const held = withHeldHome(() => durabilityOf(paths.home));
  const { undo: folder } = paths;
  const undo = new UndoLog({ folder, clock, log });
  const others = scopeFolders(workspace).map((each) => each.folder);
  const skips = [paths.home, ...others].map(toRealRoot);
  const changes = new CommandChanges({
    folder,
    skips,
    onChanged: (changed) => changed.forEach(announceChange),
  });
  const processes = new ProcessTable(clock);
  const results = new ResultStore({ paths, clock, log });
  const promptFiles = listPromptFiles(loaded.config.agents.defaults.bootstrapFiles);
  const sandbox = createCommandSandbox(loaded.config.tools.exec, {
    paths,
    workspace,
    env,
    promptFiles,
    rootFor: roots.rootFor,
    readRootsFor: (origin) => readRoots(parts, skills, origin),
    allowedNetworks: loaded.config.tools.ssrfWhitelist,
  });
  const policy = createPolicy(parts, { roots, sandbox, skills });
  const guard = buildGuards(storage, {
    roots,
    skills,
    record: (tool) => skillUse.record(recordSkill(recordMemory(held(tool)))),
    changes,
    undo,
    policy,
    promptFiles,
    isKnownChat: (chat) =>
      isKnownChat(chat, {
        blocks: loaded.config.channels,
        pairing: new PairingStore(paths.pairing, clock),
        hasConversation: async (key) => (await storage.sessions.scopeOf(key)) !== undefined,
      }),
    offload: {
      results,
      mediaFolder: paths.media,
      imageLimits: options.imageLimits,
      limit: loaded.config.agents.defaults.maxToolResultChars,
      log,
    },
  });
  const isPromptFile = createPromptFileRule(promptFiles, roots.rootFor);
  const findLasting: BuiltTools["findLasting"] = async ({ origin, ...turn }) =>
    findLastingChanges({ ...turn, scope: scopeOf(origin) }, origin, { undo, roots, isPromptFile, timeZone });
  const settings = toSettings(parts, { sandbox, processes });
  const tools = createTools({ roots, memory: options.memory, ...settings });
  registry.add([...tools, ...options.tools].map(guard));
  return {
    registry,
    roots,
    skills,
    skillUse,
    undo,
    guard,
    processes,
    changes,
    results,
    sandbox,
    findLasting,
  };
}

type Parts = Environment & Pick<Storage, "loaded">;

function createRoots({ paths, loaded, workspace }: Parts, skills: SkillsLoader): FileRoots {
  return createFileRoots({
    workspaceFor: (origin) => rootOf(workspace, scopeOf(origin)),
    readRoots: (origin) => readRoots({ paths }, skills, origin),
    isRestricted: loaded.config.tools.restrictToWorkspace,
    home: { folder: paths.home, workspace },
  });
}

/** In private, the owner sees the media of everyone. */
function readRoots({ paths }: Pick<Environment, "paths">, skills: SkillsLoader, origin: Origin): string[] {
  const scope = scopeOf(origin);
  return [resultsOf(paths, scope), mediaOf(paths, scope), ...skills.roots()];
}

function createPolicy(
  { loaded, env, workspace }: Parts,
  { roots, sandbox, skills }: Pick<BuiltTools, "roots" | "sandbox" | "skills">,
): CommandPolicy {
  const { exec, ssrfWhitelist } = loaded.config.tools;
  return createCommandPolicy({
    ...exec,
    roots,
    isContained: () => sandbox.isContained(),
    grants: () => skills.grants(),
    workspace,
    home: env.HOME || homedir(),
    allowedNetworks: ssrfWhitelist,
  });
}

function toSettings(
  parts: Parts,
  commands: Pick<ExecOptions, "sandbox" | "processes">,
): Pick<ToolsOptions, "hasFiles" | "exec" | "web"> {
  const { loaded, env, clock } = parts;
  const { tools, agents } = loaded.config;
  const { file, exec } = tools;
  const { timeout: timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend } = exec;
  const settings = { timeoutSeconds, allowedEnvKeys, pathPrepend, pathAppend };
  const options = { ...settings, ...commands, environment: env, clock };
  const { maxToolResultChars } = agents.defaults;
  const web = toWebOptions(tools, { env, maxToolResultChars });
  return { hasFiles: file.enable, ...(exec.enable && { exec: options }), web };
}
