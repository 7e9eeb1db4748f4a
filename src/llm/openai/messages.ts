// Converts canonical messages to chat-completions messages, each as a pure function of message and quirks, so that what
// was sent once is sent again byte for byte. Only known fields pass.

import { isRecord } from "../../lib/is-record.ts";
import { isBlank } from "../../lib/text.ts";
import type { ModelQuirks } from "../hosts/host.ts";
import { reasoningKey } from "../responses/items.ts";
import type {
  AssistantMessage,
  ContentPart,
  ImagePart,
  Message,
  TextPart,
  ToolCall,
  ToolMessage,
} from "../types.ts";
import { isImage } from "../wire/images.ts";
import { hostIdKey, type IdAlphabet, readHostId, toWireId } from "../wire/tool-calls.ts";

type WirePart = (TextPart | ImagePart) & { cache_control?: { type: "ephemeral" } };

export interface WireMessage {
  role: Message["role"];
  content: string | null | WirePart[];
  [field: string]: unknown;
}

/** Hosts reject blank text; this is sent for a message that had none. */
const emptyText = "(empty)";
const continuedText = "(conversation continued)";
const imageNote = "[An image is not shown here.]";

export function toWireMessages(messages: readonly Message[], quirks: ModelQuirks): WireMessage[] {
  const turns = toAlternating(messages);
  const toId = chooseIds(turns, quirks);
  return turns.map((message) => toWireMessage(message, quirks, toId));
}

type ToId = (id: string) => string;

/** The id that the host itself gave, where this one takes it; a later call with the same one has ours. */
function chooseIds(messages: readonly Message[], quirks: ModelQuirks): ToId {
  const alphabet = idAlphabet(quirks);
  const hostIds = new Map<string, string>();
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const call of message.tool_calls ?? []) {
      const id = readHostId(call);
      const isTaken = id !== undefined && (quirks.anyToolCallIds || toWireId(id, alphabet) === id);
      if (!isTaken || used.has(id)) continue;
      used.add(id);
      hostIds.set(call.id, id);
    }
  }
  return (id) => hostIds.get(id) ?? toWireId(id, alphabet);
}

function toWireMessage(message: Message, quirks: ModelQuirks, toId: ToId): WireMessage {
  if (message.role === "assistant") return toWireAssistant(message, quirks, toId);
  const content = toWireContent(message.content, quirks);
  if (message.role !== "tool") return { role: message.role, content };
  const { tool_call_id, name } = message;
  return { role: "tool", tool_call_id: toId(tool_call_id), name, content };
}

function toWireAssistant(message: AssistantMessage, quirks: ModelQuirks, toId: ToId): WireMessage {
  const { content, tool_calls: calls = [] } = message;
  const isBare = isBlank(content) && calls.length > 0;
  const bare = quirks.emptyContent === "empty-string" ? "" : null;
  return {
    role: "assistant",
    content: isBare ? bare : toWireContent(content ?? "", quirks),
    ...toWireReasoning(message, quirks),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({ id: toId(call.id), ...toWireCall(call, index, quirks) })),
    }),
  };
}

function toWireCall(call: ToolCall, index: number, quirks: ModelQuirks) {
  const { name, arguments: json } = call.function;
  const extra = toWireExtra(call.extra_content, quirks) ?? (index === 0 ? quirks.unsignedCall : undefined);
  return {
    type: "function",
    function: { name, arguments: json },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

function idAlphabet({ toolCallIds, cacheMarks }: ModelQuirks): IdAlphabet {
  // Where marks are understood the model is Claude, whose ids hold letters, digits, "_" and "-" only.
  return toolCallIds ?? (cacheMarks ? "plain" : "any");
}

function toWireContent(content: string | ContentPart[], quirks: ModelQuirks): string | WirePart[] {
  if (typeof content === "string" && !quirks.cacheMarks) return isBlank(content) ? emptyText : content;
  const parts = toParts(content);
  if (quirks.stringContent) return parts.map((part) => textOf(part)).join("\n\n");
  // Cache marks need parts and only ever move, so the form is the same with and without one.
  return parts;
}

/** Never none. */
function toParts(content: string | ContentPart[]): WirePart[] {
  const parts = typeof content === "string" ? [toText(content)] : content;
  const kept = parts.flatMap(toPart);
  return kept.length === 0 ? [toText(emptyText)] : kept;
}

/** With known fields only; nothing for one that is blank or unknown. */
function toPart(part: ContentPart): WirePart[] {
  if (part.type === "text") return isBlank(part.text) ? [] : [toText(part.text)];
  if (!isImage(part)) return [];
  const { url, detail } = part.image_url;
  return [{ type: "image_url", image_url: detail === undefined ? { url } : { url, detail } }];
}

function toText(text: string): TextPart {
  return { type: "text", text };
}

function textOf(part: WirePart | undefined): string {
  return part?.type === "text" ? part.text : imageNote;
}

/**
 * Hosts take turns of user and assistant: equal roles in a row become one message, images of tool results (which a
 * result cannot hold) follow as a user's, an answer is never the first or the last word.
 */
function toAlternating(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  const images: ImagePart[] = [];
  for (const message of messages) {
    if (message.role !== "tool") addImages(turns, images);
    if (message.role === "tool") turns.push(takeImages(message, images));
    else addTurn(turns, message);
  }
  addImages(turns, images);
  const last = turns.at(-1);
  if (last?.role === "assistant" && last.tool_calls === undefined && turns.length > 1) turns.pop();
  return turns;
}

function addTurn(turns: Message[], message: Exclude<Message, ToolMessage>): void {
  const last = turns.at(-1);
  if (message.role === "assistant" && (last === undefined || last.role === "system")) {
    turns.push({ role: "user", content: continuedText });
  }
  const merged = merge(last, message);
  if (merged !== undefined) turns.pop();
  turns.push(merged ?? message);
}

function merge(first: Message | undefined, second: Message): Message | undefined {
  if (first?.role === "assistant" && second.role === "assistant" && first.tool_calls === undefined) {
    return { ...second, content: joinTexts([first.content, second.content]) };
  }
  if (first?.role !== "user" || second.role !== "user") return undefined;
  if (typeof first.content === "string" && typeof second.content === "string") {
    return { role: "user", content: joinTexts([first.content, second.content]) };
  }
  return { role: "user", content: [...toParts(first.content), ...toParts(second.content)] };
}

function joinTexts(texts: Array<string | null>): string {
  return texts.filter((text) => !isBlank(text)).join("\n\n");
}

function takeImages(message: ToolMessage, images: ImagePart[]): ToolMessage {
  if (typeof message.content === "string" || !message.content.some(isImage)) return message;
  images.push(...message.content.filter(isImage));
  const texts = message.content.filter((part) => !isImage(part));
  return { ...message, content: [...texts, toText("[The image follows in the next message.]")] };
}

function addImages(turns: Message[], images: ImagePart[]): void {
  if (images.length > 0) turns.push({ role: "user", content: images.splice(0) });
}

function toWireReasoning(message: AssistantMessage, quirks: ModelQuirks): Record<string, unknown> {
  const { reasoningReplay, thinkingStyle } = quirks;
  const text = message.reasoning_content ?? "";
  if (reasoningReplay === "drop") return {};
  if (thinkingStyle === "openrouter" || thinkingStyle === "reasoning_split") {
    const extra = message.tool_calls?.[0]?.extra_content;
    const details = isRecord(extra) ? extra.reasoning_details : undefined;
    if (Array.isArray(details)) return { reasoning_details: details };
  }
  if (text === "") return reasoningReplay === "backfill" ? { reasoning_content: "" } : {};
  if (thinkingStyle === "openrouter") return { reasoning: text };
  if (thinkingStyle === "reasoning_split") return { reasoning_details: [{ type: "reasoning.text", text }] };
  return { reasoning_content: text };
}

/** A host's opaque data with a call (Gemini's thought signature). Hosts that reject reasoning reject it too. */
function toWireExtra(extra: unknown, { reasoningReplay }: ModelQuirks): unknown {
  if (reasoningReplay === "drop") return undefined;
  if (!isRecord(extra)) return extra;
  const { reasoning_details: _, [reasoningKey]: __, [hostIdKey]: ___, ...rest } = extra;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
