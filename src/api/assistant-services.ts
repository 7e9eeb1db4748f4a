// What operations about a workspace work on, whose files need no model, and about the assistant in it, which does.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { Origin } from "../bus/types.ts";
import type { HomePaths } from "../config/home.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Inspection } from "../context/inspection.ts";
import type { DreamOutcome } from "../dream/dream.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Session } from "../session/session.ts";
import type { SessionStore } from "../session/store.ts";
import type { ChatServices, ConversationServices } from "./chat/chat-services.ts";
import type { SaveConfig } from "./config/save-config.ts";
import type { PersonMemory } from "./memory/person-memory.ts";

export type Whose = Pick<Origin, "role" | "person" | "group">;

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

export interface WorkspaceServices extends Surroundings {
  sessions: SessionStore;
  memoryOf(whose: Whose): PersonMemory;
}

export interface AssistantServices extends WorkspaceServices {
  chat: ChatServices;
  conversation: ConversationServices;
  /** Over the memory of a person or group. Takes the home lock when it writes. */
  dream(whose: Whose, signal: AbortSignal): Promise<DreamOutcome>;
  /** What the next request of a conversation would contain. */
  inspect(message: { sessionKey: string; origin: Origin; text: string }): Promise<Inspection>;
  /** The model that answers in a session. */
  modelOf(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  /** Takes out what is taken out of every prompt. */
  redact(text: string): string;
}
