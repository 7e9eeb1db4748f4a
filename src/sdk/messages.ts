// Growing a message list by hand, for those who embed the ContextBuilder and run their own loop.
import type { AssistantMessage, ContentPart, Message, ToolCall } from "../llm/types.ts";

/** Always with `content`, null allowed; `reasoning` is what DeepSeek-R1, Kimi and others want back. */
export function addAssistantMessage(
  messages: readonly Message[],
  { content, toolCalls, reasoning }: { content: string | null; toolCalls?: ToolCall[]; reasoning?: string },
): Message[] {
  const message: AssistantMessage = {
    role: "assistant",
    content,
    ...(toolCalls !== undefined && toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
  return [...messages, message];
}

export function addToolResult(
  messages: readonly Message[],
  { callId, name, content }: { callId: string; name: string; content: string | ContentPart[] },
): Message[] {
  return [...messages, { role: "tool", tool_call_id: callId, name, content }];
}
