// The way to the operations of a home: of the gateway that this process is, of the one that runs on this home, or in
// this process on its files.
import { type Client, type ClientCaller, createHttpClient, createLocalClient } from "../api/client.ts";
import { createRunner, type RunOperation } from "../api/run-operation.ts";
import type { HomeServices, Services } from "../api/services.ts";
import { fail } from "../i18n/user-error.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { findGateway } from "../server/gateway-file.ts";
import type { HomeState } from "./home-state.ts";

export type HomeFacts = Pick<
  HomeServices,
  "paths" | "env" | "workspace" | "clock" | "ids" | "log" | "timeZone" | "loaded"
>;

export interface ClientParts extends HomeFacts {
  state: HomeState;
  lock: HomeLock;
  /** Of the gateway that this is part of. */
  run?(): RunOperation;
}

export type ClientFor = (caller: ClientCaller) => Promise<Client>;

export function createClients(parts: ClientParts): ClientFor {
  const { paths, ids, run } = parts;
  const newId = () => ids.next();
  let local: Promise<RunOperation> | undefined;
  return async (caller) => {
    if (run !== undefined) return createLocalClient(run(), caller, { newId, isServed: true });
    const gateway = await findGateway(paths.run);
    if (gateway !== undefined) return createHttpClient(gateway, caller);
    local ??= openLocal(parts);
    return createLocalClient(await local, caller, { newId, isServed: false });
  };
}

async function openLocal(parts: ClientParts): Promise<RunOperation> {
  const { operations } = await import("../api/table.ts");
  let home: Promise<HomeServices> | undefined;
  return createRunner({
    operations,
    lock: parts.lock,
    async services(needs) {
      if (needs !== "home") throw fail("gateway.not-running");
      home ??= openHomeServices(parts);
      return (await home) as Services[typeof needs];
    },
  });
}

export async function openHomeServices({ state, ...facts }: ClientParts): Promise<HomeServices> {
  const { paths, env, workspace, clock, ids, log, timeZone, loaded } = facts;
  const { bus, ledger, currency, cron, pairing } = await state.open();
  const opened = { bus, ledger, currency, cron, pairing, removedJobs: new Map() };
  return { paths, env, workspace, clock, ids, log, timeZone, loaded, ...opened };
}
