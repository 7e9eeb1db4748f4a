// Only the prompt, for a program with a loop of its own.
import {
  addAssistantMessage,
  addToolResult,
  ContextBuilder,
  createBootstrapLayer,
  createIdentityLayer,
  createMemoryLayer,
  type Message,
  PromptFiles,
  terminalOrigin,
} from "../../src/index.ts";

export async function buildPrompt(workspace: string, text: string): Promise<Message[]> {
  const files = new PromptFiles();
  const layers = [createIdentityLayer(files), createBootstrapLayer(files), createMemoryLayer(files)];
  const builder = new ContextBuilder({ workspace, layers });
  return builder.buildMessages({ text, origin: terminalOrigin });
}

export function withToolCall(messages: Message[], path: string, result: string): Message[] {
  const call = { name: "read_file", arguments: JSON.stringify({ path }) };
  const toolCalls = [{ id: "call_1", type: "function" as const, function: call }];
  const asked = addAssistantMessage(messages, { content: null, toolCalls });
  return addToolResult(asked, { callId: "call_1", name: "read_file", content: result });
}
