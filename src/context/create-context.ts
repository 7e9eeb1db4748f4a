// The context of the assistant: its layers in their order, and the epochs of its sessions.
import { mayReadFor } from "../guards/files/protected-places.ts";
import { isInside, toRealRoot } from "../guards/files/real-path.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { packageRoot } from "../lib/package-root.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import { PrefixFiles } from "../storage/blobs/content-files.ts";
import type { HomePaths } from "../storage/home.ts";
import { ownerScope } from "../storage/scope.ts";
import { rootOf, scopeAround } from "../storage/scope-folders.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { RuntimeLayer } from "../tools/runtime-layer.ts";
import { ContextBuilder, type ContextBuilderOptions } from "./builder.ts";
import { PrefixStore } from "./epoch.ts";
import { Epochs } from "./epochs.ts";
import type { PromptFacts } from "./layers/bootstrap.ts";
import { createDefaultLayers } from "./layers/default-layers.ts";
import { createIdentityLayer } from "./layers/identity.ts";
import { type Layer, PromptFiles } from "./layers/layer.ts";
import { createSkillsSummaryLayer, findMentionedSkills } from "./layers/skills.ts";
import { takeNotes } from "./runtime-notes.ts";
import type { PlanOptions } from "./turn-plan.ts";

/** How a program that embeds nanobot shapes the prompt, without touching the core. */
export interface ContextExtensions extends Pick<ContextBuilderOptions, "compressHistory" | "inspect"> {
  /** Instead of `agents.defaults.bootstrapFiles`. */
  bootstrapFiles?: readonly string[];
  /** Instead of the built-in first layer. */
  identity?: Layer;
  /** After the built-in ones. */
  layers?: readonly Layer[];
  /** Notes that go with each message, in addition to those of files in the home. */
  runtimeLayers?: readonly RuntimeLayer[];
}

export interface ContextOptions {
  paths: HomePaths;
  workspace: string;
  timeZone: string;
  clock: Clock;
  log: Log;
  /** Names of files in the workspace that are part of every prompt. */
  bootstrapFiles: readonly string[];
  /** After this pause the prompt is built again. */
  epochIdleMinutes: number;
  /** Tools that subagents do not have. */
  withheldTools?: ReadonlySet<string>;
  /** What prompt files may name. */
  facts?: PromptFacts;
  extensions?: ContextExtensions;
}

export interface Context {
  context: ContextBuilder;
  epochs: Epochs;
  /** For subagents: their prompt is short, and nothing is recalled for them. */
  subagentEpochs: Epochs;
  files: PromptFiles;
}

export interface ContextSources {
  sessions: SessionManager;
  skills: SkillsLoader;
  /** Earlier messages about the same thing. */
  recall?: PlanOptions["recall"];
  findLabels?: PlanOptions["findLabels"];
  /** Of files in the home. */
  runtimeLayers?(): Promise<readonly RuntimeLayer[]>;
}

export function createContext(
  options: ContextOptions,
  { sessions, skills, recall, findLabels, runtimeLayers }: ContextSources,
): Context {
  const { paths, workspace, timeZone, clock, log, epochIdleMinutes } = options;
  const home = { folder: paths.home, workspace };
  const rootAround = (path: string) => {
    const scope = scopeAround(workspace, path) ?? scopeAround(toRealRoot(workspace), path) ?? ownerScope;
    return rootOf(workspace, scope);
  };
  const files = new PromptFiles({
    onProblem: (path, reason) => log.warn("prompt-file-left-out", { path, reason }),
    mayRead: (real, path) => isInside(path, packageRoot) || mayReadFor(rootAround(path), real, home),
  });
  const place = { workspace, mediaFolder: paths.media, timeZone, clock, log };
  const { compressHistory, inspect } = options.extensions ?? {};
  const { bootstrapFiles, identity, layers: further = [] } = options.extensions ?? {};
  const layers = [
    ...createDefaultLayers({
      files,
      skills,
      bootstrapFiles: bootstrapFiles ?? options.bootstrapFiles,
      ...(options.facts && { facts: options.facts }),
      ...(identity && { identity }),
    }),
    ...further,
  ];
  const context = new ContextBuilder({ ...place, layers, skills, compressHistory, inspect });
  const shared = {
    files,
    prefixes: new PrefixStore(new PrefixFiles(sessions.folder)),
    timeZone,
    idleMs: epochIdleMinutes * 60_000,
    clock,
    log,
    findSkills: (text: string) => findMentionedSkills(skills, text),
    findLabels,
  };
  const given = options.extensions?.runtimeLayers ?? [];
  const notes = { clock, log, layers: async () => [...given, ...((await runtimeLayers?.()) ?? [])] };
  const epochs = new Epochs({
    ...shared,
    builder: context,
    recall,
    takeNotes: (input) => takeNotes(notes, input),
  });
  const subagentLayers = [
    createIdentityLayer(files, undefined, "subagent"),
    createSkillsSummaryLayer(skills, { withoutTools: options.withheldTools }),
  ];
  const builder = new ContextBuilder({ ...place, layers: subagentLayers, inspect });
  return { context, epochs, subagentEpochs: new Epochs({ ...shared, builder }), files };
}
