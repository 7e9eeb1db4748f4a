// Converts canonical messages to items of the Responses protocol, each as a pure function of its message, so that what was
// sent once is sent again byte for byte.
import { isRecord } from "../../lib/is-record.ts";
import { isBlank } from "../../lib/text.ts";
import type { AssistantMessage, ContentPart, Message, ToolCall } from "../types.ts";
import { isImage } from "../wire/images.ts";
import { toWireId } from "../wire/tool-calls.ts";

export type Item = Record<string, unknown>;

const emptyText = "(empty)";

/** Key of `extra_content` under which a call keeps the reasoning that came before it. */
export const reasoningKey = "responses_reasoning";

/** Encrypted by the host, which alone can read it. */
export interface ReasoningItem {
  type: "reasoning";
  id: string;
  summary: unknown[];
  encrypted_content: string;
}

export function toInstructions(messages: readonly Message[]): string {
  return messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n\n");
}

export function toItems(messages: readonly Message[]): Item[] {
  return messages.flatMap(toItem);
}

function toItem(message: Message): Item[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: toParts(message.content) }];
    case "assistant":
      return toOutput(message);
    case "tool":
      return [toResult(message.tool_call_id, message.content)];
  }
}

/** Reasoning, then what was said, then the calls: as they were given. */
function toOutput({ content, tool_calls: calls = [] }: AssistantMessage): Item[] {
  const [first, ...others] = calls;
  const said = isBlank(content) && first !== undefined ? [] : [toSaid(content ?? "")];
  if (first === undefined) return said;
  const rest = others.flatMap((call) => [...readReasoning(call), toCall(call)]);
  return [...readReasoning(first), ...said, toCall(first), ...rest];
}

function toSaid(text: string): Item {
  return {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: isBlank(text) ? emptyText : text }],
  };
}

function toCall({ id, function: { name, arguments: json } }: ToolCall): Item {
  return { type: "function_call", call_id: toWireId(id, "any"), name, arguments: json };
}

function readReasoning({ extra_content: extra }: ToolCall): Item[] {
  const items = isRecord(extra) ? extra[reasoningKey] : undefined;
  return Array.isArray(items) ? items.filter(isReasoning) : [];
}

/** Also what comes from a stored session is looked at before it is sent. */
export function isReasoning(item: unknown): item is ReasoningItem & Item {
  if (!isRecord(item) || item.type !== "reasoning") return false;
  return (
    typeof item.id === "string" && typeof item.encrypted_content === "string" && Array.isArray(item.summary)
  );
}

function toResult(id: string, content: string | ContentPart[]): Item {
  const hasImages = typeof content !== "string" && content.some(isImage);
  const texts =
    typeof content === "string" ? [content] : content.flatMap((part) => ("text" in part ? part.text : []));
  const text = texts.join("\n\n");
  const output = hasImages ? toParts(content) : isBlank(text) ? emptyText : text;
  return { type: "function_call_output", call_id: toWireId(id, "any"), output };
}

/** Never none. */
function toParts(content: string | ContentPart[]): Item[] {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const kept = parts.flatMap((part): Item[] => {
    if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "input_text", text: part.text }];
    if (!isImage(part)) return [];
    const { url, detail = "auto" } = part.image_url;
    return [{ type: "input_image", image_url: url, detail }];
  });
  return kept.length === 0 ? [{ type: "input_text", text: emptyText }] : kept;
}
