// What operations work on: the state of a home, which the gateway holds while it runs; the assistant of this process; and
// all of it with what exists only in a gateway that runs.
import type { DurableBus } from "../bus/durable-bus.ts";
import type { PairingStore } from "../channels/pairing-store.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Ledger } from "../llm/ledger.ts";
import type { CronService } from "../schedule/cron-service.ts";
import type { Job } from "../schedule/job.ts";
import type { ConversationServices } from "./chat/chat-services.ts";
import type { GatewayServices } from "./gateway-services.ts";

export type { GatewayServices } from "./gateway-services.ts";

/** Of everything. */
export interface Surroundings {
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  workspace: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Of times that name no zone. */
  timeZone: string;
  /** As it is now. */
  loaded(): LoadedConfig;
}

export interface HomeServices extends Surroundings {
  bus: DurableBus;
  ledger: Ledger;
  /** Of the ledger. */
  currency: string;
  cron: CronService;
  /** Removed a moment ago, for undo. */
  removedJobs: Map<string, Job>;
  pairing: PairingStore;
}

export interface AssistantServices extends Surroundings {
  conversation: ConversationServices;
}

export interface Services {
  home: HomeServices;
  assistant: AssistantServices;
  gateway: GatewayServices;
}
