// What a person reads when a turn is over, the parts of it that go to the outbox, and waiting for a store that fails.
import type { MessageBus } from "../bus/bus.ts";
import type { AnswerAddress, InboundMessage, OutboundPart, Piece } from "../bus/types.ts";
import { say, speakTo, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { toCodeBlock, toPlainLine } from "../lib/text.ts";
import { reveal } from "../lib/visible-text.ts";
import { DurabilityError } from "../storage/durability.ts";
import { isStorageTrouble } from "../storage/files/storage-trouble.ts";
import type { TurnOutcome } from "./job.ts";
import { toLastingCards } from "./lasting-cards.ts";

const longestQuote = 200;
const mostQuotes = 100;

export function describeEnding({ stop, error }: TurnOutcome, words: Words): string {
  if (error !== undefined) return words.failure.turnFailed(say(error.phrase, words));
  return stop === "cancelled" ? words.reply.stoppedMark : "";
}

interface PartsOptions {
  words: Words;
  /** A text as the messages that a channel can send of it; absent: as one. */
  split?(channel: string, text: string, answer?: AnswerAddress): Piece[];
}

/** The answer, which was streamed where a surface streams, and then how it ended if it did not end well. */
export function toParts(
  inbound: InboundMessage,
  outcome: TurnOutcome,
  { words, split = (_channel, text) => [{ text }] }: PartsOptions,
): OutboundPart[] {
  const { origin } = inbound;
  const address = addressOf(inbound);
  const texts = [
    {
      text: withoutSilence(inbound, outcome),
      kind: outcome.kind,
      wasStreamed: outcome.kind === "answer",
      ...(inbound.spoken !== undefined && outcome.kind === "answer" && { wasSpokenTo: origin.person }),
    },
    { text: describeLasting(inbound, outcome, words), kind: "notice" as const, wasStreamed: false },
    {
      text: withoutFolders(describeEnding(outcome, speakTo(origin, words))),
      kind: "notice" as const,
      wasStreamed: false,
      ...(outcome.error && { isFailure: true }),
    },
  ];
  return texts
    .filter(({ text }) => text !== "")
    .flatMap(({ text, ...part }) => {
      const pieces = split(origin.channel, text, part.kind === "answer" ? address : undefined);
      return pieces.map((piece) => ({ ...part, ...piece }));
    })
    .map((part, index) => ({ ...address, ...part, id: `${inbound.id}:final#${index}` }));
}

/** Where the page shows it, with its own way to take it back, nothing is sent. */
function describeLasting({ origin }: InboundMessage, { lasting = [] }: TurnOutcome, words: Words): string {
  if (lasting.length === 0 || origin.channel === "web") return "";
  const spoken = speakTo(origin, words);
  const cards = toLastingCards(lasting, spoken).map(
    ({ title, diff }) => `${title}\n${toCodeBlock(reveal(diff))}`,
  );
  return [...cards, spoken.reply.undoChanged].join("\n");
}

/** Finishes the messages of an outcome, in one step with their answers. */
export function storeOutcome(
  bus: MessageBus,
  inbound: InboundMessage,
  outcome: TurnOutcome,
  options: PartsOptions,
): Promise<void> {
  return outcome.isSetAside === true
    ? bus.setAside(outcome.inboundIds, (messages) => toApology(messages, options))
    : bus.finish(outcome.inboundIds, toParts(inbound, outcome, options));
}

/** For messages whose turns kept dying; the first one began the turn. Each is named. */
function toApology(
  messages: readonly InboundMessage[],
  { words, split = (_channel, text) => [{ text }] }: PartsOptions,
): OutboundPart[] {
  const [first] = messages;
  if (first === undefined) return [];
  const { apology, apologyForSeveral, andMore } = speakTo(first.origin, words).gateway;
  const quotes = messages.slice(0, mostQuotes).map(({ text }) => `> ${toPlainLine(text, longestQuote)}`);
  const more = messages.length > mostQuotes ? [andMore(messages.length - mostQuotes)] : [];
  const text = [messages.length > 1 ? apologyForSeveral : apology, ...quotes, ...more].join("\n");
  return split(first.origin.channel, text).map((piece, index) => ({
    ...addressOf(first),
    ...piece,
    id: `${first.id}:final#${index}`,
    kind: "notice",
    wasStreamed: false,
  }));
}

/** That a message has to wait for its store, and why where a person can do something about it; said once. */
export function toWaitNotice(inbound: InboundMessage, words: Words, error: unknown): OutboundPart {
  // A separate id: the turn continues, and so does its display.
  const id = `${inbound.id}:waiting`;
  const spoken = speakTo(inbound.origin, words);
  const isFull = error instanceof DurabilityError && error.fault === "quota";
  const text = [spoken.failure.storeWaits, ...(isFull ? [say(error.phrase, spoken)] : [])].join("\n");
  return { ...addressOf(inbound), id: `${id}#0`, turnId: id, text, kind: "notice", wasStreamed: false };
}

function addressOf({ id, origin, sessionKey }: InboundMessage) {
  const { channel, chatId, thread, replyTo } = origin;
  return {
    channel,
    chatId,
    ...(thread !== undefined && { thread }),
    sessionKey,
    turnId: id,
    media: [],
    ...(replyTo !== undefined && { replyTo }),
  };
}

/** A chat must not show where our files are: of a path only the last name stays. */
function withoutFolders(text: string): string {
  return text.replaceAll(/(?<![\w.:/])(?:\/[^\s/'"`:()]+)+\/([^\s/'"`:()]+)/g, "$1");
}

/** What was said to a turn that had nothing to tell is answered all the same. */
function withoutSilence({ silence }: InboundMessage, { text, inboundIds }: TurnOutcome): string {
  if (silence === undefined || !text.trim().startsWith(silence)) return text;
  return inboundIds.length > 1 ? text.trim().slice(silence.length).trim() : "";
}

export interface Patience {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Default: troubles of a store, and nothing else. */
  isTrouble?(error: unknown): boolean;
  /** Each time that it has to wait, and why. */
  onWait?(error: unknown): Promise<void> | void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** What `work` does must be harmless when it is repeated. Throws the signal's reason when it aborts. */
export async function insist<T>(
  work: () => Promise<T>,
  { clock, log, signal, isTrouble = isStorageTrouble, onWait }: Patience,
): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTrouble(error)) throw error;
      log.error("not-stored-yet", { error, pause });
      // A process that may no longer act for the home says nothing; its signal aborts soon.
      if (!isLoss(error)) await onWait?.(error);
      await clock.sleep(pause, signal);
    }
  }
}

/** Another process may act for the home: nothing more can be stored. */
export function isLost({ reason }: AbortSignal): boolean {
  return isLoss(reason);
}

function isLoss(error: unknown): boolean {
  return error instanceof DurabilityError && error.fault === "lost";
}
