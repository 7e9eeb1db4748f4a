// The way to the operations of a home: of the gateway that this process is, of the one that runs on this home, or in
// this process on its files.
import { type Client, type ClientCaller, createHttpClient, createLocalClient } from "../api/client.ts";
import { createRunner, type RunOperation } from "../api/run-operation.ts";
import type {
  AssistantServices,
  HomeServices,
  InstallationServices,
  OperationFacts,
  Services,
  Surroundings,
  WorkspaceServices,
} from "../api/services.ts";
import type { OperationName } from "../api/table.ts";
import { fail } from "../i18n/user-error.ts";
import { findGateway } from "../server/gateway-file.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { HomeState } from "./home-state.ts";

export interface ClientParts extends Surroundings {
  state: HomeState;
  lock: HomeLock;
  /** Of the gateway that this is part of. */
  run?(): RunOperation;
  /** The workspace is not the gateway's, or has an assistant in this process: a gateway is asked about the home only. */
  isApart: boolean;
  /** What is opened, or there, in this process. */
  open: {
    installation(): Promise<InstallationServices>;
    workspace(): Promise<WorkspaceServices>;
    assistant?(): Promise<AssistantServices>;
  };
  /** Opens one where there is none in this process. */
  openAssistant?(): Promise<{ clientFor: ClientFor }>;
}

export type ClientFor = (caller: ClientCaller) => Promise<Client>;

export function createClients(parts: ClientParts): ClientFor {
  const { paths, ids, run, isApart } = parts;
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
    return isApart ? withWorkspace(await openHere(caller, true), there) : there;
  };
}

/** The gateway is asked for what is not about the workspace. */
function withWorkspace(here: Client, there: Client): Client {
  return {
    isServed: true,
    async call(name, params, options) {
      const { operations } = await import("../api/table.ts");
      const needs = operations.get(name)?.needs;
      const isThere = needs === "home" || needs === "gateway";
      return (isThere ? there : here).call(name, params, options);
    },
  };
}

async function openLocal(parts: ClientParts): Promise<RunOperation> {
  const { openAssistant, lock } = parts;
  const { operations } = await import("../api/table.ts");
  let home: Promise<HomeServices> | undefined;
  const open = async (needs: keyof Services): Promise<Services[keyof Services]> => {
    if (needs === "home") {
      home ??= openHomeServices(parts, operations);
      return home;
    }
    const opening = needs === "gateway" ? undefined : parts.open[needs]?.();
    if (opening === undefined) throw fail("gateway.not-running");
    return opening;
  };
  const run = createRunner({ operations, lock, services: (needs) => open(needs) as never });
  if (openAssistant === undefined) return run;
  return async (request, caller, interaction) => {
    const { name, params } = request;
    if (operations.get(name)?.needs !== "assistant") return run(request, caller, interaction);
    // It has a lock of its own: the whole operation runs there.
    const client = await (await openAssistant()).clientFor(caller);
    return client.call(name as OperationName, params as never, { ...interaction, ...caller });
  };
}

async function openHomeServices(
  { state, ...facts }: ClientParts,
  operations: OperationFacts,
): Promise<HomeServices> {
  const { bus, ledger, currency, cron, pairing, tokens } = await state.open();
  const opened = { bus, ledger, currency, cron, pairing, tokens, removedJobs: new Map() };
  return { ...toSurroundings(facts), ...opened, operations };
}

export function toSurroundings(facts: Surroundings): Surroundings {
  const { paths, env, workspace, clock, ids, log, timeZone, loaded, saveConfig } = facts;
  return { paths, env, workspace, clock, ids, log, timeZone, loaded, saveConfig };
}
