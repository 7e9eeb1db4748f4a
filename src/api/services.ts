// What operations work on. Each level has all of the one before it: the state of a home is cheap to open, the assistant
// needs a model, and some things exist only in a gateway that runs.
import type { DurableBus } from "../bus/durable-bus.ts";
import type { PairingStore } from "../channels/pairing-store.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { ConfigPatch } from "../config/save.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Ledger } from "../llm/ledger.ts";
import type { CronService } from "../schedule/cron-service.ts";
import type { Job } from "../schedule/job.ts";
import type { ChatServices } from "./chat/chat-services.ts";
import type { GatewayControl } from "./gateway/gateway.ts";
import type { WebSignIns } from "./gateway/web-links.ts";
import type { OpenQuestions } from "./questions.ts";

export interface HomeServices {
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
  bus: DurableBus;
  ledger: Ledger;
  /** Of the ledger. */
  currency: string;
  cron: CronService;
  /** Removed a moment ago, for undo. */
  removedJobs: Map<string, Job>;
  pairing: PairingStore;
}

export interface AssistantServices extends HomeServices {}

export interface GatewayServices extends AssistantServices {
  chat: ChatServices;
  questions: OpenQuestions;
  gateway: GatewayControl;
  web: WebSignIns;
  /** Writes the change and uses it at once where that can be; throws a UserError, at that field of the params. */
  saveConfig(patch: ConfigPatch, field?: string): Promise<void>;
}

export interface Services {
  home: HomeServices;
  assistant: AssistantServices;
  gateway: GatewayServices;
}
