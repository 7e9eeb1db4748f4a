// What operations about a workspace work on, whose files need no model, and about the assistant in it, which does.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { Origin } from "../bus/types.ts";
import type { Inspection } from "../context/inspection.ts";
import type { DreamOutcome, DreamProgress } from "../dream/dream.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { SessionManager } from "../storage/sessions/session-manager.ts";
import type { ChatServices, ConversationServices } from "./chat/chat-services.ts";
import type { InstallationServices, Surroundings } from "./installation-services.ts";
import type { PersonMemory } from "./memory/person-memory.ts";

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
  /** Takes out what is taken out of every prompt. */
  redact(text: string): string;
}
