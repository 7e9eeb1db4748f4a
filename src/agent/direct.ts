// A message that comes from the same process and waits for its own outcome: `nanobot agent -m`, an embedder.
import type { Answer, Question } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { Origin } from "../bus/types.ts";
import type { Job } from "./job.ts";

/** `ownWords`: default all of the text, unless there are labels. */
export interface DirectRequest extends Pick<Job, "ownWords" | "history" | "layers" | "signal"> {
  sessionKey: string;
  text: string;
  media?: string[];
  /** Sources of untrusted content in the text. */
  labels?: string[];
  /** Default: the owner at the terminal. */
  origin?: Origin;
  onEvent?(body: LiveBody, turnId: string): void;
  ask?(question: Question, signal: AbortSignal): Promise<Answer>;
}

export const terminalOrigin: Origin = {
  channel: "cli",
  chatId: "direct",
  senderId: "owner",
  person: "owner",
  role: "owner",
  cause: "user",
  format: "terminal",
};

export function toDirectJob(
  { sessionKey, text, media = [], labels = [], origin = terminalOrigin, onEvent, ask, ...own }: DirectRequest,
  { id, now, finish }: { id: string; now: number; finish: Job["finish"] },
): Job {
  return {
    ...own,
    inbound: { id, sourceKey: `direct:${id}`, sessionKey, origin, text, media, labels, receivedAt: now },
    surface: { show: (body) => onEvent?.(body, id), ...(ask && { ask }) },
    isInjectable: false,
    joined: [],
    finish,
  };
}
