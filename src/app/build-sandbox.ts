// The sandbox of commands, from the config and from what the person behind a turn may see.
import { homedir } from "node:os";
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createChildEnvironment } from "../guards/child-environment.ts";
import { MountPoints } from "../guards/mount-points.ts";
import { createSandbox, type Sandbox, type SandboxState } from "../guards/sandbox.ts";
import { createPlaces } from "../guards/sandbox-places.ts";
import { packagePath } from "../lib/package-root.ts";
import type { HomePaths } from "../storage/home.ts";
import { listPromptFiles } from "./build-labels.ts";

export interface SandboxParts {
  paths: HomePaths;
  loaded: LoadedConfig;
  workspace: string;
  env: NodeJS.ProcessEnv;
}

/** What `nanobot` consists of: skills tell to check others with it. */
const ownProgram = ["bin", "dist", "skills", "templates", "node_modules", "package.json"];

export interface SandboxRoots {
  rootFor(origin: Origin): string;
  readRootsFor(origin: Origin): readonly string[];
}

export function buildSandbox(parts: SandboxParts, roots: SandboxRoots): Sandbox {
  const { paths, loaded, workspace, env } = parts;
  const { sandboxRoBinds, sandboxRwBinds } = loaded.config.tools.exec;
  const userFolder = env.HOME || homedir();
  const places = createPlaces({
    ...roots,
    workspace,
    userFolder,
    readBinds: [...ownProgram.map((name) => packagePath(name)), ...sandboxRoBinds],
    writeBinds: sandboxRwBinds,
    hidden: [paths.home],
    promptFiles: listPromptFiles(loaded),
    mountPoints: new MountPoints(paths.run),
  });
  return createSandbox({ ...toSearch(parts), places, userFolder });
}

/** Which one there would be; confines nothing. */
export function findSandbox(parts: Pick<SandboxParts, "loaded" | "env">): SandboxState {
  return createSandbox({
    ...toSearch(parts),
    places: async () => ({ places: [], release() {} }),
    userFolder: "/",
  }).state();
}

/** What the config adds to the PATH is for commands, not for what confines them. */
function toSearch({ loaded, env }: Pick<SandboxParts, "loaded" | "env">) {
  const { PATH = "" } = createChildEnvironment({ from: env });
  return { mode: loaded.config.tools.exec.sandbox, path: PATH };
}
