// The way to the operations of a home: of the gateway that this process is, of the one that runs on this home, or in
// this process on its files.
import { type Client, type ClientCaller, createHttpClient, createLocalClient } from "../api/client.ts";
import { createRunner, type RunOperation } from "../api/run-operation.ts";
import type { AssistantServices, HomeServices, Services, Surroundings } from "../api/services.ts";
import { fail } from "../i18n/user-error.ts";
import type { HomeLock } from "../lib/home-lock.ts";
import { findGateway } from "../server/gateway-file.ts";
import type { HomeState } from "./home-state.ts";

export interface ClientParts extends Surroundings {
  state: HomeState;
  lock: HomeLock;
  /** Of the gateway that this is part of. */
  run?(): RunOperation;
  /** Of this process: a gateway is asked about the home only. */
  assistant?(): AssistantServices;
}

export type ClientFor = (caller: ClientCaller) => Promise<Client>;

export function createClients(parts: ClientParts): ClientFor {
  const { paths, ids, run, assistant } = parts;
  const newId = () => ids.next();
  let local: Promise<RunOperation> | undefined;
  const openHere = async (caller: ClientCaller, isServed: boolean) => {
    local ??= openLocal(parts);
    return createLocalClient(await local, caller, { newId, isServed });
  };
  return async (caller) => {
    if (run !== undefined) return createLocalClient(run(), caller, { newId, isServed: true });
    const gateway = await findGateway(paths.run);
    if (gateway === undefined) return openHere(caller, false);
    const there = createHttpClient(gateway, caller);
    return assistant === undefined ? there : withAssistant(await openHere(caller, true), there);
  };
}

/** The gateway is asked for what is not about the assistant of this process. */
function withAssistant(here: Client, there: Client): Client {
  return {
    isServed: true,
    async call(name, params, options) {
      const { operations } = await import("../api/table.ts");
      const isHere = operations.get(name)?.needs === "assistant";
      return (isHere ? here : there).call(name, params, options);
    },
  };
}

async function openLocal(parts: ClientParts): Promise<RunOperation> {
  const { operations } = await import("../api/table.ts");
  let home: Promise<HomeServices> | undefined;
  return createRunner({
    operations,
    lock: parts.lock,
    async services(needs) {
      if (needs === "assistant" && parts.assistant !== undefined)
        return parts.assistant() as Services[typeof needs];
      if (needs !== "home") throw fail("gateway.not-running");
      home ??= openHomeServices(parts);
      return (await home) as Services[typeof needs];
    },
  });
}

export async function openHomeServices({ state, ...facts }: ClientParts): Promise<HomeServices> {
  const { bus, ledger, currency, cron, pairing } = await state.open();
  const opened = { bus, ledger, currency, cron, pairing, removedJobs: new Map() };
  return { ...toSurroundings(facts), ...opened };
}

export function toSurroundings(facts: Surroundings): Surroundings {
  const { paths, env, workspace, clock, ids, log, timeZone, loaded } = facts;
  return { paths, env, workspace, clock, ids, log, timeZone, loaded };
}
