// The context of the assistant: its layers in their order, and the epochs of its sessions.
import { join } from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { createBootstrapLayer } from "../context/bootstrap.ts";
import { ContextBuilder, type ContextBuilderOptions } from "../context/builder.ts";
import { Epochs } from "../context/epochs.ts";
import { createIdentityLayer } from "../context/identity.ts";
import type { Layer } from "../context/layer.ts";
import { createMemoryLayer } from "../context/memory-layer.ts";
import { PrefixStore } from "../context/prefix.ts";
import { PromptFiles } from "../context/prompt-files.ts";
import { createRecentHistoryLayer } from "../context/recent-history.ts";
import {
  createActiveSkillsLayer,
  createSkillsSummaryLayer,
  findMentionedSkills,
} from "../context/skills-layers.ts";
import type { PlanOptions } from "../context/turn-plan.ts";
import { mayReadFor } from "../guards/home-places.ts";
import { isInside } from "../guards/path-text.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { packageRoot } from "../lib/package-root.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { HomePaths } from "../storage/home.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import { personRootAround } from "./person-folders.ts";

/** How a program that embeds nanobot shapes the prompt, without touching the core. */
export interface ContextExtensions extends Pick<ContextBuilderOptions, "compressHistory" | "inspect"> {
  /** Instead of `agents.defaults.bootstrapFiles`. */
  bootstrapFiles?: readonly string[];
  /** Instead of the built-in first layer. */
  identity?: Layer;
  /** After the built-in ones. */
  layers?: readonly Layer[];
}

export interface ContextParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  workspace: string;
  clock: Clock;
  log: Log;
  context?: ContextExtensions;
}

export interface Context {
  context: ContextBuilder;
  epochs: Epochs;
  /** Of subagents: their own prompt is short, and nothing is recalled for them. */
  subagentEpochs: Epochs;
  files: PromptFiles;
  timeZone: string;
}

export interface ContextSources {
  sessions: SessionManager;
  skills: SkillsLoader;
  /** What was said earlier about a message. */
  recall?: PlanOptions["recall"];
  findLabels?: PlanOptions["findLabels"];
}

export function buildContext(
  parts: ContextParts,
  { sessions, skills, recall, findLabels }: ContextSources,
): Context {
  const { paths, loaded, env, workspace, clock, log } = parts;
  const { timezone, epochIdleMinutes } = loaded.config.agents.defaults;
  const timeZone = timezone ?? readSystemTimeZone(env);
  const home = { folder: paths.home, workspace };
  const files = new PromptFiles({
    onProblem: (path, reason) => log.warn("prompt-file-left-out", { path, reason }),
    mayRead: (real, path) =>
      isInside(path, packageRoot) || mayReadFor(personRootAround(workspace, path), real, home),
  });
  const place = { workspace, mediaFolder: paths.media, timeZone, clock, log };
  const { compressHistory, inspect } = parts.context ?? {};
  const layers = createLayers(files, parts, skills);
  const context = new ContextBuilder({ ...place, layers, compressHistory, inspect });
  const shared = {
    files,
    prefixes: new PrefixStore(join(sessions.folder, "prefixes")),
    timeZone,
    idleMs: epochIdleMinutes * 60_000,
    clock,
    log,
    findSkills: (text: string) => findMentionedSkills(skills, text),
    findLabels,
  };
  const epochs = new Epochs({ ...shared, builder: context, recall });
  const subagentLayers = [
    createIdentityLayer(files, undefined, "subagent"),
    createSkillsSummaryLayer(skills),
  ];
  const builder = new ContextBuilder({ ...place, layers: subagentLayers, inspect });
  return { context, epochs, subagentEpochs: new Epochs({ ...shared, builder }), files, timeZone };
}

function createLayers(
  files: PromptFiles,
  { loaded, context = {} }: ContextParts,
  skills: SkillsLoader,
): Layer[] {
  const { bootstrapFiles } = loaded.config.agents.defaults;
  return [
    context.identity ?? createIdentityLayer(files),
    createBootstrapLayer(files, context.bootstrapFiles ?? bootstrapFiles),
    createMemoryLayer(files),
    createActiveSkillsLayer(skills),
    createSkillsSummaryLayer(skills),
    createRecentHistoryLayer(files),
    ...(context.layers ?? []),
  ];
}
