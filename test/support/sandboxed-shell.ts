// Commands in the real sandbox of Linux, on a user's folder with keys, an installation and a workspace in it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Origin } from "../../src/bus/types.ts";
import { createFileRoots, type FileRoots } from "../../src/guards/files/file-roots.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/guards/sandbox/sandbox.ts";
import { createPlaces, type PlacesOptions } from "../../src/guards/sandbox/sandbox-places.ts";
import type { ToolContext } from "../../src/runner/tool.ts";
import { createExec, type ExecOptions } from "../../src/tools/commands/exec.ts";
import { terminalOrigin } from "./origins.ts";
import { runToolText } from "./run-tool.ts";
import { hasSystemPart } from "./system-part.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { createToolContext } from "./tool-context.ts";

/** For `describe.runIf`: namespaces of a user may be forbidden, as in many containers. */
export function hasBubblewrap(): boolean {
  if (process.platform !== "linux") return false;
  const words = [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "true",
  ];
  return hasSystemPart(["bwrap", ...words], "bubblewrap and allow user namespaces");
}

export const guest: Origin = { ...terminalOrigin, channel: "telegram", person: "ann", role: "guest" };

export interface SandboxedShell {
  /** Of the user: `.ssh/id_rsa`, `.nanobot/config.json`, `.nanobot/workspace`. */
  userFolder: string;
  workspace: string;
  roots: FileRoots;
  sandbox: Sandbox;
  run(command: string, args?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<string>;
}

export interface SandboxedShellOptions {
  files?: Record<string, string | Uint8Array>;
  places?: Partial<PlacesOptions>;
  sandbox?: Partial<SandboxOptions>;
  exec?: ExecOptions;
}

const canary = "canary-7f3a";

export async function createSandboxedShell(options: SandboxedShellOptions = {}): Promise<SandboxedShell> {
  const userFolder = await createTemporaryFolder({
    ".ssh/id_rsa": canary,
    ".nanobot/config.json": canary,
    ".nanobot/workspace/note.md": "早上好\n",
    ".nanobot/workspace/people/ann/own.md": "hers\n",
    ".nanobot/workspace/people/bob/own.md": "his\n",
    ...options.files,
  });
  const workspace = join(userFolder, ".nanobot/workspace");
  await mkdir(workspace, { recursive: true });
  const rootFor = (origin: Origin): string =>
    origin.role === "owner" ? workspace : join(workspace, "people", origin.person);
  const roots = createFileRoots({ workspaceFor: rootFor, readRoots: [], isRestricted: true });
  const places = createPlaces({
    workspace,
    userFolder,
    rootFor,
    readRootsFor: () => [],
    hidden: [join(userFolder, ".nanobot")],
    ...options.places,
  });
  const { PATH = "" } = process.env;
  const sandbox = createSandbox({ mode: "required", places, path: PATH, userFolder, ...options.sandbox });
  const environment = { PATH, HOME: userFolder };
  const tool = createExec(roots, { sandbox, environment, ...options.exec });
  const run: SandboxedShell["run"] = (command, args = {}, context = {}) =>
    runToolText(tool, { command, ...args }, createToolContext(context));
  return { userFolder, workspace, roots, sandbox, run };
}
