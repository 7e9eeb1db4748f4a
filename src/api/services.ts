// What operations work on: the config and files of an installation; the state of a home, which the gateway holds while it
// runs; a workspace; the assistant in it; and all of it with what exists only in a gateway that runs.

import type { CronService } from "../schedule/cron-service.ts";
import type { Job } from "../storage/jobs/job.ts";
import type { PairingStore } from "../storage/people/pairing-store.ts";
import type { DurableBus } from "../storage/queues/durable-bus.ts";
import type { Ledger } from "../storage/queues/ledger.ts";
import type { AssistantServices, WorkspaceServices } from "./assistant-services.ts";
import type { ApiTokenStore } from "./gateway/tokens.ts";
import type { GatewayServices } from "./gateway-services.ts";
import type { InstallationServices, Surroundings } from "./installation-services.ts";

export type { AssistantServices, Whose, WorkspaceServices } from "./assistant-services.ts";
export type { GatewayServices } from "./gateway-services.ts";
export type { InstallationServices, Surroundings } from "./installation-services.ts";

export interface HomeServices extends Surroundings {
  bus: DurableBus;
  ledger: Ledger;
  /** Of the ledger. */
  currency: string;
  cron: CronService;
  /** Removed a moment ago, for undo. */
  removedJobs: Map<string, Job>;
  pairing: PairingStore;
  tokens: ApiTokenStore;
  /** Of the whole table. */
  operations: OperationFacts;
}

/** All operations by name, and which of them are about who may come in. */
export type OperationFacts = ReadonlyMap<string, { isAboutAccess?: true }>;

export interface Services {
  installation: InstallationServices;
  home: HomeServices;
  workspace: WorkspaceServices;
  assistant: AssistantServices;
  gateway: GatewayServices;
}
