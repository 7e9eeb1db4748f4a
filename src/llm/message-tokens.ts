// An estimate of the tokens of messages and requests, before any host has counted them.
import { remember } from "../lib/remember.ts";
import { estimateJsonTokens, estimateTokens } from "../lib/tokens.ts";
import type { ContentPart, Message, ModelRequest, ToolCall, ToolDefinition } from "./types.ts";

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

/** The list of an app is one object for its life. */
export const estimateToolTokens = remember((tools: readonly ToolDefinition[]) => estimateJsonTokens(tools));

export function estimateRequestTokens({ messages, tools = [] }: ModelRequest): number {
  const ofTools = tools.length === 0 ? 0 : estimateToolTokens(tools);
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), ofTools);
}

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
