// Makes a history fit the window without any model: the oldest turns are left out, cut at a user's message.
// Deterministic, so that it works when nothing else does. What is left out stays in the session file.
import { remember } from "../lib/remember.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { ContentPart, Message, ToolCall } from "../llm/types.ts";

const safetyTokens = 1024;

export interface Window {
  contextWindow: number;
  maxTokens: number;
  /** Tokens that the host counts for one that is estimated; 1 where it has not said. */
  correction?: number;
}

/** Tokens that a request may take, as its host counts them. */
export function inputBudget({ contextWindow, maxTokens }: Window): number {
  const budget = contextWindow - Math.max(1, maxTokens) - safetyTokens;
  return budget > 0 ? budget : Math.max(128, Math.floor(contextWindow / 2));
}

/** The same in tokens as they are estimated here: what every decision is held against. */
export function estimateBudget(window: Window): number {
  return Math.floor(inputBudget(window) / (window.correction ?? 1));
}

/** What a host charges for an image it has scaled down, whatever the length of its address. */
const tokensOfImage = 1600;
/** Role and marks around a message or a call. */
const tokensOfFrame = 4;

export const estimateMessageTokens = remember((message: Message): number => {
  const { tool_calls: calls = [], reasoning_content: thoughts = "" } =
    message.role === "assistant" ? message : {};
  const tokens = tokensOfFrame + estimateContent(message.content) + estimateTokens(thoughts);
  return calls.reduce((sum, call) => sum + estimateCall(call), tokens);
});

function estimateContent(content: string | ContentPart[] | null): number {
  if (content === null || typeof content === "string") return estimateTokens(content ?? "");
  return content.reduce(
    (sum, part) => sum + (part.type === "text" ? estimateTokens(part.text) : tokensOfImage),
    0,
  );
}

function estimateCall({ function: { name, arguments: given } }: ToolCall): number {
  return tokensOfFrame + estimateTokens(name) + estimateTokens(given);
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

/** Where the prompt has to begin: unchanged while it fits, else at the first user's message that halves it. */
export function chooseStart(request: FitRequest): number {
  const { messages, from, fixedTokens, spared = 0, budget } = request;
  const fits = fixedTokens + sumTokens(messages, from) - spared <= budget;
  return fits ? from : chooseStartWithin({ ...request, budget: Math.floor(budget / 2) });
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
