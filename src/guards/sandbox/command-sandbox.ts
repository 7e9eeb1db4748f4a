// The sandbox of commands, from the settings of `tools.exec` and from what the person behind a turn may see.
import { homedir } from "node:os";
import type { Origin } from "../../bus/types.ts";
import { packagePath } from "../../lib/package-root.ts";
import type { HomePaths } from "../../storage/home.ts";
import { createChildEnvironment } from "./child-environment.ts";
import { MountPoints } from "./mount-points.ts";
import { createSandbox, type Sandbox, type SandboxMode, type SandboxState } from "./sandbox.ts";
import { createPlaces } from "./sandbox-places.ts";

/** What `nanobot` consists of: skills say to check other skills with it. */
const programFiles = ["bin", "dist", "skills", "templates", "node_modules", "package.json"];

export interface SandboxSettings {
  sandbox: SandboxMode;
  sandboxRoBinds: readonly string[];
  sandboxRwBinds: readonly string[];
  sandboxRuntime: string;
  sandboxImage: string;
}

export interface CommandSandboxOptions {
  paths: HomePaths;
  workspace: string;
  env: NodeJS.ProcessEnv;
  promptFiles: readonly string[];
  rootFor(origin: Origin): string;
  readRootsFor(origin: Origin): readonly string[];
  /** Private networks (CIDR) that a granted host may be in. */
  allowedNetworks: readonly string[];
}

export function createCommandSandbox(settings: SandboxSettings, options: CommandSandboxOptions): Sandbox {
  const { paths, env, allowedNetworks, ...shown } = options;
  const userFolder = env.HOME || homedir();
  const places = createPlaces({
    ...shown,
    userFolder,
    readBinds: [...programFiles.map((name) => packagePath(name)), ...settings.sandboxRoBinds],
    writeBinds: settings.sandboxRwBinds,
    hidden: [paths.home],
    mountPoints: new MountPoints(paths.run),
  });
  return createSandbox({
    mode: settings.sandbox,
    path: toSearchPath(env),
    places,
    userFolder,
    runFolder: paths.run,
    runtime: toRuntime(settings),
    proxy: { allow: allowedNetworks },
  });
}

/** Which sandbox there would be; confines nothing. */
export function findSandbox(
  settings: Pick<SandboxSettings, "sandbox" | "sandboxRuntime" | "sandboxImage">,
  env: NodeJS.ProcessEnv,
): SandboxState {
  const places = async () => ({ places: [], writable: [], release() {} });
  const [mode, runtime, path] = [settings.sandbox, toRuntime(settings), toSearchPath(env)];
  return createSandbox({ mode, runtime, path, places, userFolder: "/" }).state();
}

function toRuntime({
  sandboxRuntime,
  sandboxImage,
}: Pick<SandboxSettings, "sandboxRuntime" | "sandboxImage">) {
  return sandboxRuntime === "" ? undefined : { program: sandboxRuntime, image: sandboxImage };
}

/** What the config adds to the PATH is for commands, not for what confines them. */
function toSearchPath(env: NodeJS.ProcessEnv): string {
  return createChildEnvironment({ from: env }).PATH ?? "";
}
