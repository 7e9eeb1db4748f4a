// What a terminal asks beyond a page: one question with its whole outcome, and commands that the owner runs by hand.
import type { TurnOutcome } from "../../agent/job.ts";

export interface TerminalMethods {
  /** Waits for the end of its turn; what happens meanwhile is told as events of `turnId`. Never joins another turn. */
  "terminal.ask": {
    params: {
      sessionKey: string;
      text: string;
      files?: string[];
      /** Sources of untrusted content in the text. */
      labels?: string[];
      /** What of it the owner wrote. */
      ownWords?: string;
      /** Somebody is there to answer questions. */
      canAsk: boolean;
    };
    result: TurnOutcome;
  };
  /** Through the guards of the model's own commands, except that nobody is asked; `runId` for `terminal.cancel`. */
  "terminal.run": {
    params: { sessionKey: string; command: string; runId: string };
    result: { content: string; isError: boolean; labels: string[] };
  };
  "terminal.cancel": { params: { runId: string }; result: { isCancelled: boolean } };
}
