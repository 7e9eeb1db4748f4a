// The sandbox of commands, from the config and from what the person behind a turn may see.
import { homedir } from "node:os";
import type { Origin } from "../bus/types.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createChildEnvironment } from "../guards/child-environment.ts";
import { createSandbox, type Sandbox } from "../guards/sandbox.ts";
import { createPlaces } from "../guards/sandbox-places.ts";
import { listPromptFiles } from "./build-labels.ts";

export interface SandboxParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
}

export interface SandboxRoots {
  rootFor(origin: Origin): string;
  readRootsFor(origin: Origin): readonly string[];
}

export function buildSandbox({ paths, loaded, workspace, env }: SandboxParts, roots: SandboxRoots): Sandbox {
  const { sandbox: mode, sandboxRoBinds, sandboxRwBinds } = loaded.config.tools.exec;
  const userFolder = env.HOME || homedir();
  const places = createPlaces({
    ...roots,
    workspace,
    userFolder,
    readBinds: sandboxRoBinds,
    writeBinds: sandboxRwBinds,
    hidden: [paths.home],
    promptFiles: listPromptFiles(loaded),
  });
  // What the config puts before it is for commands, not for what confines them.
  const { PATH = "" } = createChildEnvironment({ from: env });
  return createSandbox({ mode, places, path: PATH, userFolder });
}
