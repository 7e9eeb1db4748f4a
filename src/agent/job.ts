// One inbound message in a lane, with the surface that it came from: the bus, or a caller in this process.
import { type Answer, nobodyToAsk, type Question } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { InboundMessage, Origin } from "../bus/types.ts";
import type { RenderedLayer } from "../context/layers/layer.ts";
import type { LastingChange } from "../guards/labels/lasting-changes.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { phraseOfError } from "../i18n/user-error.ts";
import { untilAborted } from "../lib/abort.ts";
import { noUsage } from "../lib/usage.ts";
import { toPhrase } from "../llm/errors/provider-error.ts";
import type { Message, ProviderError, ProviderErrorKind } from "../llm/types.ts";
import type { TurnResult } from "../runner/events.ts";
import type { Tool } from "../runner/tool.ts";
import { HomeLockedError } from "../storage/home-lock.ts";

/** Where a turn shows itself: the bus for channels, callbacks for one-shot use. Must return at once from `show`. */
export interface Surface {
  show(body: LiveBody): void;
  /** Undefined where no one can be asked. */
  ask?(question: Question, signal: AbortSignal): Promise<Answer>;
}

/** Waits no longer than the signal, whatever the surface does about it. A no where no one can be asked. */
export async function askOn(surface: Surface, question: Question, signal: AbortSignal): Promise<Answer> {
  return surface.ask === undefined ? nobodyToAsk : untilAborted(surface.ask(question, signal), signal);
}

export interface Job {
  inbound: InboundMessage;
  surface: Surface;
  /** What of it the owner wrote, where that is not simply all of it. */
  ownWords?: string;
  /** In place of a stored session; nothing of the turn is kept then. */
  history?: readonly Message[];
  /** Of the system text, after the assistant's own. */
  layers?: readonly RenderedLayer[];
  /** In addition to the assistant's own. */
  tools?: readonly Tool[];
  /** May join a running turn; a caller that waits for its outcome may not. */
  isInjectable: boolean;
  /** Its turn, or its command, runs: what it says is no longer changed. */
  isBegun?: true;
  /** The caller's own way to call it off. */
  signal?: AbortSignal;
  /** Messages that a turn of it has taken along, which share its end. */
  joined: string[];
  /** A turn of it begins; false when it is no longer to be answered. */
  begin?(): Promise<boolean>;
  finish(outcome: TurnOutcome): Promise<void>;
}

export interface TurnOutcome extends Omit<TurnResult, "labels" | "error"> {
  sessionKey: string;
  turnId: string;
  kind: "answer" | "command";
  /** Inbound messages that this outcome answers: the first, and those that joined. */
  inboundIds: string[];
  /** What it changed of what later conversations begin with. */
  lasting?: readonly LastingChange[];
  /** Its turns kept dying: nothing was done now, and its sender gets an apology. */
  isSetAside?: boolean;
  error?: { kind: ProviderErrorKind | "locked" | "internal"; phrase: Phrase };
}

export function toTurnError(error: ProviderError): NonNullable<TurnOutcome["error"]> {
  return { kind: error.kind, phrase: toPhrase(error) };
}

/** The outcome of something that was not a model's turn; others are made from it. */
export function toCommandOutcome({ inbound, joined }: Job, text: string): TurnOutcome {
  return {
    sessionKey: inbound.sessionKey,
    turnId: inbound.id,
    kind: "command",
    inboundIds: [inbound.id, ...joined],
    text,
    stop: "completed",
    tools: [],
    usage: noUsage,
  };
}

/** Whether it may join a running turn: words of a person, or of a subagent. */
export function isInjectable({ kind, origin, revises }: InboundMessage): boolean {
  return (kind !== "system" || origin.cause === "subagent") && revises?.isDeleted !== true;
}

/** What the bus knows of it: nothing of a job that did not come from there. */
export function idsOf({ inbound, joined, begin }: Job): string[] {
  return begin === undefined ? [] : [inbound.id, ...joined];
}

/** The outcome of something that threw. */
export function toFailure(job: Job, error: unknown, redact: (text: string) => string): TurnOutcome {
  const kind = error instanceof HomeLockedError ? "locked" : "internal";
  const reason = redact(error instanceof Error ? error.message : String(error));
  const said = phraseOfError(error) ?? phrase("turn.internal", { reason });
  return { ...toCommandOutcome(job, ""), stop: "error", kind: "answer", error: { kind, phrase: said } };
}

/** The program ends before the turn does: nothing more of it is stored, and the next start goes on with it. */
export class LeftForLater extends Error {
  override name = "LeftForLater";
}

export function isLeftForLater({ reason }: AbortSignal): boolean {
  return reason instanceof LeftForLater;
}

/** A turn that failed before its end is over, too: those who show it, or note how a job went, wait for that. */
export function breakOff({ surface }: Job, error: unknown, signal: AbortSignal): never {
  if (!isLeftForLater(signal))
    surface.show({ type: "turn-end", stop: signal.aborted ? "cancelled" : "error" });
  throw error;
}

/** Turns of one message that may die before it is set aside, with everything that joined it. */
export const mostAttempts = 3;

/**
 * All turns that ran when a process died have one more attempt. The last one counts for one message alone: whether the
 * process dies of it is only known when no other suspect runs.
 */
export function isSuspect({ inbound: { attempts = 0 } }: Job): boolean {
  return attempts >= mostAttempts - 1;
}

/** The outcome of a message whose turns kept dying. */
export function toSetAside(job: Job): TurnOutcome {
  const error = { kind: "internal", phrase: phrase("turn.died", { times: mostAttempts }) } as const;
  return { ...toCommandOutcome(job, ""), kind: "answer", stop: "error", isSetAside: true, error };
}

/** A message from the same process that waits for its outcome. `ownWords`: default all of the text, unless there are labels. */
export interface DirectRequest extends Pick<Job, "ownWords" | "history" | "layers" | "tools" | "signal"> {
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
