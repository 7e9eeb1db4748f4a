// The context of the assistant: its layers in their order, and the epochs of its sessions.
import { join } from "node:path";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createBootstrapLayer } from "../context/bootstrap.ts";
import { ContextBuilder } from "../context/builder.ts";
import { Epochs } from "../context/epochs.ts";
import { createIdentityLayer } from "../context/identity.ts";
import { createMemoryLayer } from "../context/memory-layer.ts";
import { PrefixStore } from "../context/prefix-store.ts";
import { PromptFiles } from "../context/prompt-files.ts";
import { createRecentHistoryLayer } from "../context/recent-history.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";
import type { SessionStore } from "../session/store.ts";

export interface ContextParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  workspace: string;
  clock: Clock;
  log: Log;
}

export interface Context {
  context: ContextBuilder;
  epochs: Epochs;
}

export function buildContext(
  { paths, loaded, env, workspace, clock, log }: ContextParts,
  sessions: SessionStore,
): Context {
  const { bootstrapFiles, timezone, epochIdleMinutes } = loaded.config.agents.defaults;
  const timeZone = timezone ?? readSystemTimeZone(env);
  const files = new PromptFiles((path, reason) => log.warn("prompt-file-left-out", { path, reason }));
  const runtime = { platform: process.platform, architecture: process.arch, version: process.version };
  const layers = [
    createIdentityLayer(files, runtime),
    createBootstrapLayer(files, bootstrapFiles),
    createMemoryLayer(files),
    createRecentHistoryLayer(files),
  ];
  const context = new ContextBuilder({ workspace, mediaFolder: paths.media, layers, timeZone, clock, log });
  const epochs = new Epochs({
    builder: context,
    files,
    prefixes: new PrefixStore(join(sessions.folder, "prefixes")),
    timeZone,
    idleMs: epochIdleMinutes * 60_000,
    clock,
    log,
  });
  return { context, epochs };
}
