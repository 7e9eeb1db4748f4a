// The operations that commands call: of the gateway of this home if one runs, otherwise in this process. What an operation
// needs is opened when it is called, and closed with the command.
import type { Client } from "../api/client.ts";
import { HomeState } from "../app/home-state.ts";
import { createClients } from "../app/open-client.ts";
import { detectLanguage } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { silentLog } from "../lib/log.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";
import type { HomePaths } from "../storage/home.ts";
import { createHomeLock } from "../storage/home-lock.ts";
import type { GlobalOptions } from "./command-line.ts";
import { createOpeners } from "./open-workspace.ts";
import { openConfig } from "./read-config.ts";
import type { Terminal } from "./terminal.ts";

export interface OpenedClient {
  client: Client;
  paths: HomePaths;
  timeZone: string;
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
    return await work({ client, paths, timeZone });
  } finally {
    await close();
    await state.close();
    lock.close();
  }
}
