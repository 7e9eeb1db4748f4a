// What a person is told when a turn is over, and the parts of it that go to the outbox.
import type { MessageBus } from "../bus/bus.ts";
import type { AnswerAddress, InboundMessage, OutboundPart, Piece } from "../bus/types.ts";
import { say, speakTo, type Words } from "../i18n/words.ts";
import { toPlainLine } from "../lib/text.ts";
import type { TurnOutcome } from "./job.ts";

const longestQuote = 200;
const mostQuotes = 100;

export function describeEnding({ stop, error }: TurnOutcome, words: Words): string {
  if (error !== undefined) return words.failure.turnFailed(say(error.phrase, words));
  return stop === "cancelled" ? words.reply.stoppedMark : "";
}

export interface PartsOptions {
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
      text: isSilence(inbound, outcome) ? "" : outcome.text,
      kind: outcome.kind,
      wasStreamed: outcome.kind === "answer",
    },
    {
      text: withoutFolders(describeEnding(outcome, speakTo(origin, words))),
      kind: "notice" as const,
      wasStreamed: false,
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

/** Ends the messages of an outcome, in one step with what is said to them. */
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

/** For messages whose turns kept dying, the first of which began the turn: each is named. */
export function toApology(
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

/** That a message has to wait for its store; said once. */
export function toWaitNotice(inbound: InboundMessage, words: Words): OutboundPart {
  // A name of its own: the turn goes on, and so does what is shown of it.
  const id = `${inbound.id}:waiting`;
  const { storeWaits: text } = speakTo(inbound.origin, words).failure;
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

/** Where our files lie is nobody's business in a chat: of a path only the last name is told. */
function withoutFolders(text: string): string {
  return text.replaceAll(/(?<![\w.:/])(?:\/[^\s/'"`:()]+)+\/([^\s/'"`:()]+)/g, "$1");
}

function isSilence({ silence }: InboundMessage, { text }: TurnOutcome): boolean {
  return silence !== undefined && text.trim().startsWith(silence);
}
