// Makes a prompt fit what it may take: sections of the system text, notes, and where its history begins.
import { cutWithin } from "../lib/cut-within.ts";
import { cutMiddle, takeHead } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { estimateToolTokens } from "../llm/message-tokens.ts";
import type { ToolDefinition, UserMessage } from "../llm/types.ts";
import { chooseStart, estimateBudget, estimateMessageTokens, type Window } from "../memory/fit.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { Epoch } from "./epoch.ts";
import type { RenderedLayer } from "./layer.ts";
import { countSpared } from "./left-out.ts";
import { estimatePrefix, type Prefix } from "./prefix.ts";

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
export function fitLayers(layers: readonly RenderedLayer[], most: number): RenderedLayer[] {
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
