// What a tool is handed for one call, with an owner at a terminal and a recorder for progress and questions.
import { type Answer, nobodyToAsk, type Question } from "../../src/bus/ask.ts";
import type { Origin } from "../../src/bus/types.ts";
import type { ToolContext } from "../../src/runner/tool.ts";

export const owner: Origin = {
  channel: "cli",
  chatId: "direct",
  senderId: "user",
  person: "owner",
  role: "owner",
  cause: "user",
  format: "terminal",
};

export interface RecordingContext extends ToolContext {
  readonly progressed: string[];
  readonly asked: Question[];
}

export interface ContextOptions extends Partial<ToolContext> {
  /** Given to every question; default: nobody to ask. */
  answer?: Answer;
}

export function createToolContext({ answer, ...overrides }: ContextOptions = {}): RecordingContext {
  const progressed: string[] = [];
  const asked: Question[] = [];
  return {
    origin: owner,
    sessionKey: "cli:direct",
    turnId: "turn",
    callId: "turn.1.1",
    signal: new AbortController().signal,
    labels: new Set(),
    ownWords: "",
    progress: (text) => progressed.push(text),
    async ask(request) {
      asked.push(request);
      return answer ?? nobodyToAsk;
    },
    progressed,
    asked,
    ...overrides,
  };
}
