// What the loop is made of: everything that belongs to a higher room comes in as a function.
import type { MessageBus } from "../bus/bus.ts";
import type { AnswerAddress, Origin, Piece } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Command } from "./commands.ts";
import type { SubagentsOptions } from "./subagents.ts";
import type { TurnDependencies } from "./turn-dependencies.ts";

export interface AgentLoopOptions {
  bus: MessageBus;
  turns: TurnDependencies;
  words: Words;
  clock: Clock;
  ids: Ids;
  log: Log;
  maxConcurrentTurns: number;
  /** A moment in which messages of one chat become one turn. */
  collectMs?: number;
  /** A text as the messages that a channel can send of it. */
  split?(channel: string, text: string, answer?: AnswerAddress): Piece[];
  /** Whether someone can answer an approval where this message came from. */
  canAsk(origin: Origin): boolean;
  /** Slash commands. */
  commands: readonly Command[];
  /** A conversation was closed: from now on its key is that of a new one. */
  onClosed?(sessionKey: string): void;
  /** Ends the commands that a session left running; how many. */
  stopProcesses(sessionKey: string): Promise<number>;
  subagents: Pick<SubagentsOptions, "most" | "onChange"> & {
    /** Where their turns differ from others. */
    turns: Pick<TurnDependencies, "epochs" | "upkeep" | "tools" | "toolDefinitions">;
  };
  /** Takes secrets out of what a person is told of a failure. */
  redact(text: string): string;
}
