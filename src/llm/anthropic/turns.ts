// Canonical messages as turns of the Messages protocol: user and assistant alternate, results of tools come first in
// a user's turn, signed thinking first in the model's. Pure; images were loaded before.
import type {
  ContentBlockParam,
  ImageBlockParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { isBlank } from "../../lib/text.ts";
import type { AssistantMessage, ContentPart, Message, ThinkingBlock, ToolMessage } from "../types.ts";
import { missingImageNote } from "../wire/images.ts";
import { toWireId } from "../wire/tool-calls.ts";

export interface Turn {
  role: "user" | "assistant";
  content: ContentBlockParam[];
}

type UserBlock = TextBlockParam | ImageBlockParam;
type ToWireId = (id: string) => string;

/** Blank text is rejected ("text content blocks must be non-empty"); sent for a message that had none. */
const emptyText = "(empty)";
const continuedText = "(conversation continued)";

export function toTurns(messages: readonly Message[]): Turn[] {
  const toId = createWireIds();
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const isAnswer = message.role === "assistant";
    const content = isAnswer ? toAnswer(message, toId) : toUserBlocks(message, toId);
    if (content.length > 0) addTurn(turns, { role: isAnswer ? "assistant" : "user", content });
  }
  // A prefilled answer is rejected by newer models and continued word for word by older ones.
  if (turns.at(-1)?.role === "assistant") turns.pop();
  if (turns.length === 0) turns.push(toUserTurn(emptyText));
  return turns.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function addTurn(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (last === undefined && turn.role === "assistant") turns.push(toUserTurn(continuedText));
  if (last?.role === turn.role) last.content.push(...turn.content);
  else turns.push(turn);
}

/** Results that do not come first in their turn are rejected; words may have come between them. */
function resultsFirst(blocks: ContentBlockParam[]): ContentBlockParam[] {
  const results = blocks.filter(({ type }) => type === "tool_result");
  return [...results, ...blocks.filter(({ type }) => type !== "tool_result")];
}

function toUserTurn(text: string): Turn {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The same id gives the same wire id, two ids never one; and what comes later changes nothing before it. */
function createWireIds(): ToWireId {
  const owners = new Map<string, string>();
  return (id) => {
    let wireId = toWireId(id, "plain");
    while ((owners.get(wireId) ?? id) !== id) wireId += "_";
    owners.set(wireId, id);
    return wireId;
  };
}

function toAnswer(message: AssistantMessage, toId: ToWireId): ContentBlockParam[] {
  const { content, tool_calls: calls = [], thinking_blocks: thoughts = [] } = message;
  const blocks: ContentBlockParam[] = thoughts.flatMap(toThought);
  if (content !== null && !isBlank(content)) blocks.push({ type: "text", text: content });
  for (const { id, function: call } of calls) {
    const input = parseJson(call.arguments);
    blocks.push({ type: "tool_use", id: toId(id), name: call.name, input: isRecord(input) ? input : {} });
  }
  // Thoughts alone are no answer, and nothing may follow them.
  return blocks.every(({ type }) => type.endsWith("thinking")) ? [] : blocks;
}

/** Only what the service signed or sealed comes back, in its own fields: "must remain as they were". */
export function toThought(block: ThinkingBlock): Array<ThinkingBlockParam | RedactedThinkingBlockParam> {
  const { type, thinking = "", signature = "", data = "" } = block;
  if (type === "redacted_thinking") return data === "" ? [] : [{ type, data }];
  return signature === "" ? [] : [{ type, thinking, signature }];
}

function toUserBlocks(message: Exclude<Message, AssistantMessage>, toId: ToWireId): ContentBlockParam[] {
  if (message.role === "tool") return [toResult(message, toId)];
  const blocks = toBlocks(message.content);
  return blocks.length === 0 ? toUserTurn(emptyText).content : blocks;
}

function toResult(message: ToolMessage, toId: ToWireId): ToolResultBlockParam {
  const content = toBlocks(message.content);
  const result = { type: "tool_result", tool_use_id: toId(message.tool_call_id) } as const;
  return content.length === 0 ? result : { ...result, content };
}

function toBlocks(content: string | ContentPart[]): UserBlock[] {
  const parts: ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.map(toBlock).filter((block) => block !== undefined);
}

function toBlock(part: ContentPart): UserBlock | undefined {
  if (part.type === "image_url") return toImage(part.image_url.url);
  return part.type === "text" && !isBlank(part.text) ? { type: "text", text: part.text } : undefined;
}

type Base64Source = Extract<ImageBlockParam["source"], { type: "base64" }>;

function toImage(address: string): UserBlock {
  const [, type, data = ""] = /^data:image\/(png|jpe?g|gif|webp);base64,(.+)$/s.exec(address) ?? [];
  if (type !== undefined) {
    const media_type = `image/${type.replace("jpg", "jpeg")}` as Base64Source["media_type"];
    return { type: "image", source: { type: "base64", media_type, data } };
  }
  if (address.startsWith("https:")) return { type: "image", source: { type: "url", url: address } };
  return { type: "text", text: missingImageNote };
}
