// What the assistant hands to the operations about conversations.
import type { AgentLoop } from "../../agent/loop.ts";
import type { ModelRuntime } from "../../agent/model-runtime.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Recall } from "../../recall/recall.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { RunOwnCommand } from "../terminal/own-command.ts";
import type { ChatEvent, LiveConversations, Say } from "./live.ts";
import type { ShownNotes } from "./shown-log.ts";

export interface ChatPorts {
  loop: AgentLoop;
  sessions: SessionManager;
  recall: Recall;
  skills: SkillsLoader;
  /** In the language of the home; `speakTo` has them in the caller's. */
  words: Words;
  paths: HomePaths;
  workspace: string;
  clock: Clock;
  log: Log;
  live: LiveConversations;
  shown: ShownNotes;
  say: Say;
  /** Of a turn that does not come over the bus. */
  publishLive: MessageBus["publishLive"];
  /** Tells owners, and that guest. */
  publish(event: ChatEvent, audience: { person?: string }): void;
  /** The model that answers in a session. */
  modelOf(session: Pick<Session, "metadata">): Promise<ModelRuntime>;
  transcribe(
    recording: { name: string; bytes: Uint8Array },
    signal: AbortSignal,
    speaker: { person: string },
  ): Promise<{ text: string } | { reason: Phrase }>;
  /** A host for it is configured. */
  canTranscribe(): boolean;
  runOwnCommand: RunOwnCommand;
}
