// What is kept of a stretch of a conversation: a summary by the model, not everything of which is believed, or plain text
// where none can be had.
import { sayInEnglish } from "../i18n/words.ts";
import { stripAddedBlocks } from "../lib/formats/runtime-block.ts";
import { cutMiddle, isBlank } from "../lib/text.ts";
import { toPhrase } from "../llm/errors/provider-error.ts";
import type {
  ContentPart,
  Message,
  ModelReply,
  ModelSettings,
  Provider,
  ToolDefinition,
} from "../llm/types.ts";
import { stripThinking } from "../llm/wire/think-tags.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";

export type Summary =
  | { kind: "text"; text: string }
  /** The model found nothing worth keeping: a success without an entry. */
  | { kind: "nothing" }
  | { kind: "raw"; reason: string };

export interface SummaryRequest {
  messages: Message[];
  slice: readonly StoredMessage[];
  tools: readonly ToolDefinition[];
  provider: Provider;
  settings: ModelSettings;
  signal: AbortSignal;
}

const longestSummary = 8_000;
const longestEntry = 16_000;
const longestMessage = 1_000;

export async function askForSummary(request: SummaryRequest, sessionKey: string): Promise<Summary> {
  const { messages, slice, tools, provider, settings, signal } = request;
  const turnId = `consolidation:${sessionKey}:${slice.at(-1)?.id}`;
  const attribution = { cause: "consolidation" as const, sessionKey, turnId };
  const events = provider.stream({ ...settings, messages, tools, toolChoice: "auto", attribution }, signal);
  for await (const event of events) if (event.type === "reply-end") return judge(event.reply, request);
  throw new Error("the provider ended its stream without a reply");
}

function judge({ message, stop, error }: ModelReply, { messages, slice }: SummaryRequest): Summary {
  const refuse = (reason: string): Summary => ({ kind: "raw", reason });
  if (error !== undefined) return refuse(sayInEnglish(toPhrase(error)));
  if (message.tool_calls !== undefined) return refuse("a tool call instead of a summary");
  if (stop !== "stop") return refuse(`the summary ended with ${stop}`);
  const text = stripThinking(message.content ?? "").text.trim();
  if (isBlank(text)) return refuse("blank");
  if (/^\(?nothing\)?[.。]?$/i.test(text)) return { kind: "nothing" };
  const said = slice.map(({ content }) => toText(content));
  if (said.includes(text) || messages.some(({ content }) => content === text)) return refuse("an echo");
  const isSmaller = text.length < said.join("\n").length && text.length <= longestSummary;
  return isSmaller ? { kind: "text", text } : refuse("longer than what it summarises");
}

/** Bounded; of a long one beginning and end. Turns in which the model could not be asked say nothing; "" for only such. */
export function toRawEntry(given: readonly StoredMessage[]): string {
  const messages = withoutFailures(given);
  if (messages.length === 0) return "";
  const lines = messages.map(toLine).filter((line) => line !== "");
  return cutMiddle([`[RAW] ${messages.length} messages`, ...lines].join("\n"), longestEntry);
}

/** What was asked in vain is asked again; tools that had run before the failure stay. */
function withoutFailures(messages: readonly StoredMessage[]): StoredMessage[] {
  const failed = new Set(messages.filter(({ _failed }) => _failed === true).map(({ turn }) => turn));
  if (failed.size === 0) return [...messages];
  const active = new Set(messages.filter(({ role }) => role === "tool").map(({ turn }) => turn));
  return messages.filter(({ turn, _failed }) => !failed.has(turn) || (active.has(turn) && _failed !== true));
}

function toLine(message: StoredMessage): string {
  const said = toText(message.content);
  const text = cutMiddle(message.role === "user" ? stripAddedBlocks(said) : said, longestMessage);
  const calls =
    message.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.function.name) : [];
  if (isBlank(text) && calls.length === 0) return "";
  const tools = calls.length === 0 ? "" : ` [tools: ${calls.join(", ")}]`;
  return `[${message.timestamp.slice(0, 16)}] ${message.role.toUpperCase()}${tools}: ${text}`;
}

function toText(content: string | ContentPart[] | null): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}
