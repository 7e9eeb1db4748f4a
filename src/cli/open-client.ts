// The operations that commands call: of the gateway of this home if one runs, otherwise in this process. What an operation
// needs is opened when it is called, and closed with the command.
import { type Client, createClients } from "../api/client.ts";
import { HomeState } from "../api/home/home-state.ts";
import type { InstallationServices, Surroundings, WorkspaceServices } from "../api/services.ts";
import type { App } from "../app/build-app.ts";
import type { Config } from "../config/schema.ts";
import { detectLanguage } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { silentLog } from "../lib/log.ts";
import { readSystemTimeZone } from "../lib/process/time-zone.ts";
import { neutralise } from "../lib/visible-text.ts";
import type { VersionsProblem } from "../storage/documents/versions.ts";
import type { HomePaths } from "../storage/home.ts";
import { createHomeLock, type HomeLock } from "../storage/home-lock.ts";
import type { GlobalOptions } from "./command-line/options.ts";
import { openConfig } from "./read-config.ts";
import { printReport, type Report } from "./terminal/report.ts";
import type { CommandContext, Terminal } from "./terminal/terminal.ts";

export interface OpenedClient {
  client: Client;
  paths: HomePaths;
  timeZone: string;
  config: Config;
}

/** Opens the client and prints the report that the work makes; resolves with the exit code. */
export function reportWithClient(
  options: GlobalOptions & { json?: boolean },
  { terminal }: CommandContext,
  work: (opened: OpenedClient) => Promise<Report>,
): Promise<number> {
  return withClient(options, terminal, async (opened) => printReport(await work(opened), options, terminal));
}

export async function withClient<T>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (opened: OpenedClient) => Promise<T>,
): Promise<T> {
  const { env, words } = terminal;
  const { paths, loaded, saveConfig } = await openConfig(options, terminal);
  const { workspace, timezone: timeZone = readSystemTimeZone(env) } = loaded().config.agents.defaults;
  const facts = {
    paths,
    env,
    workspace,
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    timeZone,
    loaded,
    saveConfig,
  };
  const state = new HomeState({ ...facts, words });
  const lock = createHomeLock({ home: paths.home, clock: systemClock });
  const { close, ...openers } = createOpeners(options, terminal, { ...facts, lock });
  try {
    const clientFor = createClients({
      ...facts,
      state,
      lock,
      isApart: options.workspace !== undefined,
      ...openers,
    });
    const client = await clientFor({ person: "owner", role: "owner", language: detectLanguage(env) });
    return await work({ client, paths, timeZone, config: loaded().config });
  } finally {
    await close();
    await state.close();
    lock.close();
  }
}

export interface Openers {
  open: {
    installation(): Promise<InstallationServices>;
    workspace(): Promise<WorkspaceServices>;
  };
  openAssistant(): Promise<App>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

function createOpeners(
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
    const { openWorkspaceServices } = await import("../app/open-installation.ts");
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
