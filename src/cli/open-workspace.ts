// What a command opens in this process when an operation needs it: the config and files of the installation, the files of
// the workspace, or the whole assistant.
import type { InstallationServices, Surroundings, WorkspaceServices } from "../api/services.ts";
import type { App } from "../app/build-app.ts";
import { neutralise } from "../lib/visible-text.ts";
import type { VersionsProblem } from "../storage/documents/versions.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { GlobalOptions } from "./command-line.ts";
import type { Terminal } from "./terminal.ts";

export interface Openers {
  open: {
    installation(): Promise<InstallationServices>;
    workspace(): Promise<WorkspaceServices>;
  };
  openAssistant(): Promise<App>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

export function createOpeners(
  options: GlobalOptions,
  terminal: Terminal,
  parts: Surroundings & { lock: HomeLock },
): Openers {
  const opened: Array<{ close(): Promise<void> }> = [];
  let app: Promise<App> | undefined;
  let files: Promise<WorkspaceServices> | undefined;
  let installation: Promise<InstallationServices> | undefined;

  async function openApp(): Promise<App> {
    const { openApp: open } = await import("./open-app.ts");
    const built = await open({ options, terminal, paths: parts.paths, canAsk: false });
    opened.push(built);
    return built;
  }

  async function openFiles(): Promise<WorkspaceServices> {
    const { openWorkspaceServices } = await import("../app/open-workspace.ts");
    return openWorkspaceServices({ ...parts, onVersionsProblem: warnOf(terminal) }, opened);
  }

  async function openInstallation(): Promise<InstallationServices> {
    return (await import("../app/open-installation.ts")).openInstallation(parts);
  }

  return {
    open: {
      installation() {
        installation ??= openInstallation();
        return installation;
      },
      workspace() {
        files ??= openFiles();
        return files;
      },
    },
    openAssistant() {
      app ??= openApp();
      return app;
    },
    async close() {
      for (const each of opened) await each.close();
    },
  };
}

function warnOf({ words, stderr, sideStyle }: Terminal): (problem: VersionsProblem) => void {
  const { damaged, unwritable } = words.memory.versions;
  return (problem) => {
    const sentence =
      problem.kind === "damaged"
        ? damaged(problem.folder, problem.keptAs)
        : unwritable(problem.folder, problem.code);
    stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
  };
}
