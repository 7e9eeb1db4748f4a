// Makes a prompt fit the window: sections of the system text, notes, where its history begins, which results of a long turn
// are no longer sent, and which tools are offered. Estimates are corrected by what the host has counted.

import { offloadMark } from "../guards/wrappers/with-offload.ts";
import { remember } from "../lib/remember.ts";
import { cutMiddle, takeHead } from "../lib/text.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import { estimateToolTokens } from "../llm/message-tokens.ts";
import type { Message, ToolDefinition, ToolMessage, UserMessage } from "../llm/types.ts";
import { chooseStart, estimateBudget, estimateMessageTokens, sumTokens, type Window } from "../memory/fit.ts";
import type { TokenCount } from "../storage/sessions/metadata.ts";
import type { Session } from "../storage/sessions/session.ts";
import { type Epoch, estimatePrefix, type Prefix } from "./epoch.ts";
import type { RenderedLayer } from "./layers/layer.ts";

const mark = "\n[... cut: the window of the model is small]";

/** Of what a request may take: system text and tools together. */
const systemShare = 0.55;

interface SystemInput {
  layers?: readonly RenderedLayer[];
  tools: readonly ToolDefinition[];
  window: Window;
}

/** Those of a conversation, such as what a client says of itself, stay longest. */
export function fitSystem(
  own: readonly RenderedLayer[],
  { layers: given = [], tools, window }: SystemInput,
): RenderedLayer[] {
  const budget = estimateBudget(window);
  const most = Math.max(Math.floor(budget * systemShare) - estimateToolTokens(tools), Math.floor(budget / 4));
  const kept = fitLayers(given, most);
  const left = most - kept.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return [...fitLayers(own, left), ...kept];
}

/** The last ones are cut first, the first one last. */
function fitLayers(layers: readonly RenderedLayer[], most: number): RenderedLayer[] {
  // No text has more tokens than characters.
  if (layers.reduce((sum, { text }) => sum + text.length, 0) <= most) return [...layers];
  let excess = layers.reduce((sum, { text }) => sum + estimateTokens(text), 0) - most;
  const fitted: RenderedLayer[] = [];
  for (const layer of layers.toReversed()) {
    if (excess <= 0) {
      fitted.unshift(layer);
      continue;
    }
    const tokens = estimateTokens(layer.text);
    const text = cutEnd(layer.text, tokens - excess);
    excess -= tokens - estimateTokens(text);
    // What it was made of is no longer all in it.
    const { parts: _, ...rest } = layer;
    if (text !== "") fitted.unshift({ ...rest, text });
  }
  return fitted;
}

/** Texts of one message, within a number of tokens together; "" for each that has no room left. */
export function fitNotes(notes: readonly string[], most: number): string[] {
  if (notes.reduce((sum, note) => sum + note.length, 0) <= most) return [...notes];
  let left = most;
  return notes.map((note) => {
    const shown = cutWithin(note, left, (limit) => cutMiddle(note, limit));
    left -= estimateTokens(shown);
    return shown;
  });
}

function cutEnd(text: string, most: number): string {
  return cutWithin(text, most, (limit) => {
    const head = takeHead(text, Math.max(0, limit - mark.length));
    const lastLine = head.lastIndexOf("\n");
    return (lastLine > head.length / 2 ? head.slice(0, lastLine) : head) + mark;
  });
}

/** Where the history of the coming request has to begin, so that all of it fits. */
export function fitSession(
  { session, window }: { session: Session; window: Window },
  { prefix, record }: Epoch | { prefix: Prefix; record: undefined },
  userMessage: UserMessage,
) {
  const { lastConsolidated, count } = session;
  const stored = session.metadata.epoch?.from ?? 0;
  const from = Math.min(Math.max(stored, lastConsolidated), count);
  const messages = session.slice(from);
  const fixedTokens = estimatePrefix(prefix) + estimateMessageTokens(userMessage);
  const spared = countSpared(messages, record?.leftOut);
  const budget = estimateBudget(window);
  const left = chooseStart({ messages, from: 0, fixedTokens, spared, budget });
  return { from: from + left, isTooLong: left > 0, fixedTokens };
}

const note =
  "[This result was left out to save room. Make the call again if it is needed, for less at a time.]";
const longestPointer = 1_000;

/** The ids of their calls, oldest first, until no more than `most` tokens are left; never those of the last step. */
export function chooseLeftOut(messages: readonly Message[], most: number): string[] {
  let tokens = sumTokens(messages, 0);
  const lastStep = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(0, Math.max(0, lastStep)).flatMap((message) => {
    if (message.role !== "tool") return [];
    const spared = countSparedBy(message);
    if (spared <= 0 || tokens <= most) return [];
    tokens -= spared;
    return [message.tool_call_id];
  });
}

/** How long a message may be so that all of them fit; undefined when they do as they are. */
export function chooseLongest(messages: readonly Message[], most: number): number | undefined {
  if (sumTokens(messages, 0) <= most) return undefined;
  let longest = Math.max(leastOfMessage, Math.floor(most * 0.9));
  while (longest > leastOfMessage && sumTokens(cutLong(messages, longest), 0) > most)
    longest = Math.max(leastOfMessage, Math.floor(longest * 0.75));
  return longest;
}

/** Messages longer than that, in tokens, keep their beginning and their end. Calls and images stay as they are. */
export function cutLong(messages: readonly Message[], longest: number | undefined): Message[] {
  return longest === undefined ? [...messages] : messages.map((message) => cutMessage(message, longest));
}

const leastOfMessage = 64;

function cutMessage(message: Message, longest: number): Message {
  if (estimateMessageTokens(message) <= longest) return message;
  const cut = (text: string) => cutWithin(text, longest, (limit) => cutMiddle(text, limit));
  const { content } = message;
  if (typeof content === "string") return { ...message, content: cut(content) } as Message;
  if (content === null) return message;
  return {
    ...message,
    content: content.map((part) => (part.type === "text" ? { ...part, text: cut(part.text) } : part)),
  } as Message;
}

export function leaveOut(history: Message[], leftOut: readonly string[] = []): Message[] {
  if (leftOut.length === 0) return history;
  const ids = new Set(leftOut);
  return history.map((message) => (isOneOf(ids, message) ? toPointer(message) : message));
}

/** Tokens that the messages would take if nothing were left out. */
export function countSpared(messages: readonly Message[], leftOut: readonly string[] = []): number {
  if (leftOut.length === 0) return 0;
  const ids = new Set(leftOut);
  return messages.reduce((sum, message) => sum + (isOneOf(ids, message) ? countSparedBy(message) : 0), 0);
}

function isOneOf(ids: ReadonlySet<string>, message: Message): message is ToolMessage {
  return message.role === "tool" && ids.has(message.tool_call_id);
}

function countSparedBy(message: ToolMessage): number {
  return estimateMessageTokens(message) - estimateMessageTokens(toPointer(message));
}

/** A result that was stored for its length keeps the line that says where. */
function toPointer(message: ToolMessage): ToolMessage {
  const { content } = message;
  const last = typeof content === "string" ? content.slice(content.lastIndexOf("\n") + 1) : "";
  const isPlace = last.includes(offloadMark) && last.length <= longestPointer;
  return { ...message, content: isPlace ? `${note}\n${last}` : note };
}

const smallWindow = 8_192;
/** Of what a request may take. */
const largestShare = 0.35;

/** With these everything can still be done, if less comfortably. */
const essential = new Set(["read_file", "write_file", "list_dir", "exec"]);

/** Choices from one list: the same tools are always the same object, which later steps compare by. */
const choicesOf = remember((_tools: ToolDefinition[]) => new Map<string, ToolDefinition[]>());
const estimateTool = remember((tool: ToolDefinition) => estimateJsonTokens(tool));

/** The tools of a small model must not fill its window. */
export function chooseTools(tools: ToolDefinition[], window: Window): ToolDefinition[] {
  // In steps, so that a count that changes a little from turn to turn does not change the tools.
  const correction = Math.ceil((window.correction ?? 1) * 4) / 4;
  const most = Math.floor(estimateBudget({ ...window, correction }) * largestShare);
  const candidates =
    window.contextWindow < smallWindow
      ? tools.filter(({ name }) => essential.has(name))
      : [
          ...tools.filter(({ name }) => essential.has(name)),
          ...tools.filter(({ name }) => !essential.has(name)),
        ];
  let tokens = 0;
  const chosen = new Set<ToolDefinition>();
  for (const tool of candidates) {
    const size = estimateTool(tool);
    if (tokens + size > most) continue;
    tokens += size;
    chosen.add(tool);
  }
  if (chosen.size === tools.length) return tools;
  const kept = tools.filter((tool) => chosen.has(tool));
  const key = kept.map(({ name }) => name).join("\n");
  const choices = choicesOf(tools);
  const known = choices.get(key) ?? kept;
  choices.set(key, known);
  return known;
}

/** Tokens for one that is estimated; 1 while this model has not counted. */
export function toCorrection(counted: TokenCount | undefined, model: string): number {
  if (counted?.model !== model) return 1;
  const correction = counted.tokens / counted.estimate;
  // Some hosts leave out what they had cached, or count another request: no single figure may change the window much.
  return correction > 0 && Number.isFinite(correction) ? Math.min(2, Math.max(0.7, correction)) : 1;
}

/** Less of a text than this says nothing. */
const leastTokens = 40;

/** The longest cut that takes no more; "" when nothing sensible is left. */
function cutWithin(text: string, most: number, cut: (limit: number) => string): string {
  const tokens = estimateTokens(text);
  if (tokens <= most) return text;
  if (most < leastTokens) return "";
  let limit = Math.floor((text.length * most) / tokens);
  for (;;) {
    const shown = cut(limit);
    const estimate = estimateTokens(shown);
    if (estimate <= most) return shown;
    // Chinese costs three times as much: the same share of the text may need another round.
    limit = Math.floor((limit * most) / estimate) - 1;
    if (limit <= 0) return "";
  }
}
