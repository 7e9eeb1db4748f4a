// A message that comes from the same process and waits for its own outcome: `nanobot agent -m`, an embedder.
import type { Answer, AskRequest } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { Origin } from "../bus/types.ts";
import type { Job } from "./job.ts";

export interface DirectRequest {
  sessionKey: string;
  text: string;
  media?: string[];
  /** Sources of untrusted content in the text. */
  labels?: string[];
  /** What of the text the owner wrote; default: all of it, unless there are labels. */
  ownWords?: string;
  /** Default: the owner at the terminal. */
  origin?: Origin;
  signal?: AbortSignal;
  onEvent?(body: LiveBody): void;
  ask?(request: AskRequest, signal: AbortSignal): Promise<Answer>;
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
  {
    sessionKey,
    text,
    media = [],
    labels = [],
    ownWords,
    origin = terminalOrigin,
    signal,
    onEvent,
    ask,
  }: DirectRequest,
  { id, now, finish }: { id: string; now: number; finish: Job["finish"] },
): Job {
  return {
    inbound: { id, sourceKey: `direct:${id}`, sessionKey, origin, text, media, labels, receivedAt: now },
    ...(ownWords !== undefined && { ownWords }),
    surface: { show: onEvent ?? (() => {}), ...(ask && { ask }) },
    isInjectable: false,
    ...(signal && { signal }),
    finish,
  };
}
