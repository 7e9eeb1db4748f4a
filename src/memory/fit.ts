// Makes a history fit the window without any model: the oldest turns are left out, cut at a user's message.
// Deterministic, so that it works when nothing else does. What is left out stays in the session file.
import { estimateMessageTokens } from "../llm/message-tokens.ts";
import type { Message } from "../llm/types.ts";
import { answerShare } from "../llm/wrappers/with-window.ts";

export { estimateMessageTokens } from "../llm/message-tokens.ts";

/** Hosts count otherwise than we do. */
const mostSafety = 1024;
const safetyShare = 1 / 16;

export interface Window {
  contextWindow: number;
  maxTokens: number;
  /** Tokens that the host counts for one that is estimated; 1 where it has not said. */
  correction?: number;
}

export function toWindow(contextWindow: number, maxTokens: number): Window {
  return {
    contextWindow,
    maxTokens: Math.max(1, Math.min(maxTokens, Math.floor(contextWindow * answerShare))),
  };
}

/** Tokens that a request may take, as its host counts them. */
export function inputBudget({ contextWindow, maxTokens }: Window): number {
  const safety = Math.min(mostSafety, Math.floor(contextWindow * safetyShare));
  const budget = contextWindow - Math.max(1, maxTokens) - safety;
  return budget > 0 ? budget : Math.max(128, Math.floor(contextWindow / 2));
}

/** The same in tokens as they are estimated here: what every decision is held against. */
export function estimateBudget(window: Window): number {
  return Math.floor(inputBudget(window) / (window.correction ?? 1));
}

export interface FitRequest {
  messages: readonly Message[];
  /** Where the prompt begins now. */
  from: number;
  /** Tokens of system text, tools and the message to come. */
  fixedTokens: number;
  /** Tokens of the messages that are not sent after all. */
  spared?: number;
  budget: number;
}

/** Where the prompt has to begin: unchanged while it fits, else at the first user's message that halves what can be halved. */
export function chooseStart(request: FitRequest): number {
  const { messages, from, fixedTokens, spared = 0, budget } = request;
  const fits = fixedTokens + sumTokens(messages, from) - spared <= budget;
  return fits ? from : chooseStartWithin({ ...request, budget: halve(fixedTokens, budget) });
}

/** Half of what is left of a budget after what has to be sent anyway. */
export function halve(fixedTokens: number, budget: number): number {
  return Math.floor((Math.min(fixedTokens, budget) + budget) / 2);
}

/** The earliest user's message from which everything fits; past the end if not even the last turn does. */
export function chooseStartWithin({ messages, from, fixedTokens, budget }: FitRequest): number {
  let tokens = fixedTokens;
  let start = messages.length;
  for (let index = messages.length - 1; index >= from; index--) {
    tokens += estimateAt(messages, index);
    if (tokens > budget) break;
    if (messages[index]?.role === "user") start = index;
  }
  return start;
}

export function sumTokens(messages: readonly Message[], from: number): number {
  let tokens = 0;
  for (let index = from; index < messages.length; index++) tokens += estimateAt(messages, index);
  return tokens;
}

function estimateAt(messages: readonly Message[], index: number): number {
  const message = messages[index];
  return message === undefined ? 0 : estimateMessageTokens(message);
}
