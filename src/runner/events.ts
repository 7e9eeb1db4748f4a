// What goes into a turn of the runner and what comes out of it.
import type { Progress } from "../bus/live.ts";
import type { Origin } from "../bus/types.ts";
import type { Usage } from "../lib/usage.ts";
import type { Message, ModelSettings, Provider, ProviderError, ToolDefinition } from "../llm/types.ts";
import type { ToolRegistry } from "./registry.ts";
import type { ToolContext } from "./tool.ts";

/** A message with its id: `T.n` for the reply of step n, `T.n.i` for the result of its call i. */
export interface TurnMessage {
  id: string;
  message: Message;
  /** Sources of untrusted content in it. */
  labels?: string[];
}

export interface TurnRequest {
  turnId: string;
  sessionKey: string;
  origin: Origin;
  provider: Provider;
  settings: ModelSettings;
  /** The whole prompt, the system message first. The runner never changes it. */
  messages: readonly Message[];
  /** Steps that the turn already took before a crash; ids go on from here. */
  firstStep?: number;
  /** Whole answers of the same turn before a crash: they come before what is answered now. */
  answers?: readonly string[];
  tools: ToolRegistry;
  /** The tools as sent to the model, frozen by the epoch. */
  toolDefinitions: readonly ToolDefinition[];
  /** Sources of untrusted content in the prompt. */
  labels?: Iterable<string>;
  /** What the owner wrote in this turn so far. */
  ownWords?(): string;
  said?: ToolContext["said"];
  maxSteps: number;
  signal: AbortSignal;
  ask: ToolContext["ask"];
  /** Messages that arrived during the turn; asked for after tool calls, and before a final answer. */
  takeFollowUps?(moment: "step" | "answer"): Promise<TurnMessage[]>;
  /** Whether the prompt has outgrown what the model takes; asked before each further call. */
  isFull?(): boolean;
  /** A smaller prompt with everything of this turn in it. `window`: what the host says that it takes, in tokens. */
  shrink?(why: ShrinkReason, window?: number): Promise<ShrunkPrompt>;
}

/** The provider `refused` the prompt as too long, and maybe named its `window`; or the prompt is `full`. */
export type ShrinkReason = "refused" | "window" | "full";

export interface ShrunkPrompt {
  messages: readonly Message[];
  /** A smaller window may have room for fewer. */
  toolDefinitions: readonly ToolDefinition[];
}

export type TurnEvent =
  | Progress
  /**
   * A new message of the conversation. After yielding it the runner does nothing until pulled, so that the caller
   * can store it first; `isDurable` asks for it to be on the disk by then. `labels` are those of everything before it.
   */
  | {
      type: "message";
      id: string;
      message: Message;
      isFinal: boolean;
      isDurable: boolean;
      /** In place of an answer: the model could not be asked. */
      isFailure?: boolean;
      labels?: string[];
    };

export type TurnStop = "completed" | "empty" | "max-steps" | "loop" | "cancelled" | "error";

export interface ToolUse {
  name: string;
  ok: boolean;
  ms: number;
}

export interface TurnResult {
  text: string;
  stop: TurnStop;
  tools: ToolUse[];
  usage: Usage;
  labels: string[];
  error?: ProviderError;
}
