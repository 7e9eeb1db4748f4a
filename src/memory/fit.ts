// Makes a history fit the window without any model: the oldest turns are left out, cut at a user's message.
// Deterministic, so that it works when nothing else does. What is left out stays in the session file.
import { estimateJsonTokens } from "../lib/tokens.ts";
import type { Message } from "../llm/types.ts";

const safetyTokens = 1024;

export interface Window {
  contextWindow: number;
  maxTokens: number;
}

/** Tokens that a request may take. */
export function inputBudget({ contextWindow, maxTokens }: Window): number {
  const budget = contextWindow - Math.max(1, maxTokens) - safetyTokens;
  return budget > 0 ? budget : Math.max(128, Math.floor(contextWindow / 2));
}

/** What a host charges for an image it has scaled down, whatever the length of its address. */
const tokensOfImage = 1600;

const estimates = new WeakMap<Message, number>();

export function estimateMessageTokens(message: Message): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  const { content } = message;
  const calls = message.role === "assistant" ? [message.tool_calls, message.reasoning_content] : [];
  const images = Array.isArray(content) ? content.filter(({ type }) => type === "image_url").length : 0;
  const tokens = estimateJsonTokens([content, ...calls]) + images * tokensOfImage;
  estimates.set(message, tokens);
  return tokens;
}

export interface FitRequest {
  messages: readonly Message[];
  /** Where the prompt begins now. */
  from: number;
  /** Tokens of system text, tools and the message to come. */
  fixedTokens: number;
  budget: number;
}

/** Where the prompt has to begin: unchanged while it fits, else at the first user's message that halves it. */
export function chooseStart(request: FitRequest): { from: number; tokens: number } {
  const tokens = request.fixedTokens + sumTokens(request.messages, request.from);
  if (tokens <= request.budget) return { from: request.from, tokens };
  const from = chooseStartWithin({ ...request, budget: Math.floor(request.budget / 2) });
  return { from, tokens: request.fixedTokens + sumTokens(request.messages, from) };
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
