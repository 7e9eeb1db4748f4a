// What operations work on: the config and files of an installation; the state of a home, which the gateway holds while it
// runs; a workspace; the assistant in it; and all of it with what exists only in a gateway that runs.

import type { ModelRuntime } from "../agent/dependencies.ts";
import type { LoadSignIns } from "../agent/models/load-sign-ins.ts";
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { Inspection } from "../context/inspection.ts";
import type { DreamOutcome, DreamProgress } from "../dream/dream.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { ModelLimits } from "../llm/wrappers/with-window.ts";
import type { CronService } from "../schedule/cron-service.ts";
import type { Goals } from "../schedule/goals.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { HomePaths } from "../storage/home.ts";
import type { Job } from "../storage/jobs/job.ts";
import type { TriggerFile } from "../storage/jobs/trigger-file.ts";
import type { PairingStore } from "../storage/people/pairing-store.ts";
import type { DurableBus } from "../storage/queues/durable-bus.ts";
import type { Ledger } from "../storage/queues/ledger.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { ChatServices, ConversationServices } from "./chat/chat-services.ts";
import type { SaveConfig } from "./config/save-config.ts";
import type { GatewayControl, LogFollowers, WebSignIns } from "./gateway/gateway.ts";
import type { ApiTokenStore } from "./gateway/tokens.ts";
import type { Homes } from "./homes/homes.ts";
import type { PersonMemory } from "./memory/person-memory.ts";
import type { ModelServices } from "./models/models.ts";
import type { OpenQuestions } from "./questions.ts";
import type { StagedSkills } from "./skills/staged-skills.ts";

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
  saveConfig: SaveConfig;
}

export interface InstallationServices extends Surroundings {
  /** Judged as the assistant itself would judge them. */
  skills(): Promise<SkillsLoader>;
  stagedSkills: StagedSkills;
  /** Subscriptions that models are used with. */
  signIns: LoadSignIns;
  /** The assistants of this machine. */
  homes: Homes;
  /** Remembers what a host has said of its models, by `host/model`; only where an assistant runs. */
  learnLimits?(rows: ReadonlyArray<[string, ModelLimits]>): void;
}

export type Whose = Pick<Origin, "role" | "person" | "group">;

export interface WorkspaceServices extends Surroundings {
  sessions: SessionManager;
  memoryOf(whose: Whose): PersonMemory;
}

export interface AssistantServices extends WorkspaceServices, InstallationServices {
  chat: ChatServices;
  conversation: ConversationServices;
  /** Over the memory of a person or group. Takes the home lock when it writes. */
  dream(
    whose: Whose,
    signal: AbortSignal,
    onProgress?: (progress: DreamProgress) => void,
  ): Promise<DreamOutcome>;
  /** What the next request of a conversation would contain. */
  inspect(message: { sessionKey: string; origin: Origin; text: string }): Promise<Inspection>;
  /** The model that answers in a session. */
  modelOf(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  /** Removes secrets as from every prompt. */
  redact(text: string): string;
}

export interface HomeServices extends Surroundings {
  bus: DurableBus;
  ledger: Ledger;
  /** Of the ledger. */
  currency: string;
  cron: CronService;
  goals: Goals;
  /** Removed a moment ago, for undo. */
  removedJobs: Map<string, Job>;
  triggers: TriggerFile;
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

export interface GatewayServices extends HomeServices, AssistantServices {
  questions: OpenQuestions;
  gateway: GatewayControl;
  web: WebSignIns;
  models: ModelServices;
  logFollowers: LogFollowers;
  /** As the gateway was started: its config, and the workspace of the command line. */
  started: { config: Config; workspace?: string };
}
