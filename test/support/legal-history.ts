// What OpenAI's chat completions and Anthropic's messages demand of a history (without the system prompt), written from
// their public documentation and error texts. Strict: a history without illegalities is accepted by both.
import type { Message } from "../../src/llm/types.ts";

type Fields = Record<string, unknown>;

const allowed: Record<string, string[]> = {
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls", "reasoning_content", "thinking_blocks"],
  tool: ["role", "content", "tool_call_id", "name"],
};

export function findIllegalities(history: readonly Message[]): string[] {
  const messages = history as unknown as Fields[];
  const problems = messages.flatMap((message, index) =>
    shapeProblems(message).map((problem) => `message ${index}: ${problem}`),
  );
  // Anthropic: "first message must use the user role".
  if (messages.length > 0 && messages[0]?.role !== "user") problems.push("does not begin with the user");
  return [...problems, ...pairingProblems(messages), ...repeatedIds(messages)];
}

function shapeProblems(message: Fields): string[] {
  const fields = allowed[String(message.role)];
  if (fields === undefined) return [`role ${String(message.role)}`];
  const problems = Object.keys(message)
    .filter((field) => !fields.includes(field))
    .map((field) => `field ${field}`);
  if (message.role === "assistant") return [...problems, ...assistantProblems(message)];
  // Anthropic: "text content blocks must be non-empty"; OpenAI: content of user and tool is required.
  problems.push(...contentProblems(message.content));
  if (message.role === "tool" && (typeof message.name !== "string" || message.name === ""))
    problems.push("no name");
  return problems;
}

function contentProblems(content: unknown): string[] {
  if (typeof content === "string") return content.trim() === "" ? ["blank content"] : [];
  if (!Array.isArray(content)) return ["content is neither text nor parts"];
  return content.length === 0 ? ["no parts"] : content.flatMap(partProblems);
}

function partProblems(part: unknown): string[] {
  const { type, text, image_url: image } = (part ?? {}) as Fields;
  if (type === "text") return typeof text === "string" && text.trim() !== "" ? [] : ["blank text part"];
  const url = (image as Fields | undefined)?.url;
  return type === "image_url" && typeof url === "string" && /^(data|https|file):/.test(url)
    ? []
    : ["unknown part"];
}

function assistantProblems({ content, tool_calls: calls, ...thought }: Fields): string[] {
  const problems: string[] = [];
  if (content !== null && typeof content !== "string") problems.push("content is neither text nor null");
  if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) problems.push("empty tool_calls");
  // OpenAI: content is "required unless tool_calls is specified"; Anthropic: all messages must have non-empty content.
  if (calls === undefined && String(content ?? "").trim() === "") problems.push("blank assistant");
  if ("reasoning_content" in thought && typeof thought.reasoning_content !== "string")
    problems.push("reasoning");
  if ("thinking_blocks" in thought && !Array.isArray(thought.thinking_blocks))
    problems.push("thinking blocks");
  return [...problems, ...(Array.isArray(calls) ? calls.flatMap(callProblems) : [])];
}

function callProblems(call: unknown): string[] {
  const { id, type, function: called } = call as Fields;
  const { name, arguments: text } = (called ?? {}) as Fields;
  const problems: string[] = [];
  if (typeof id !== "string" || id.trim() === "") problems.push("call without id");
  if (type !== "function") problems.push("call without type");
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    problems.push(`call of ${String(name)}`);
  // Anthropic: "Input should be a valid dictionary".
  const input: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
  if (typeof input !== "object" || input === null || Array.isArray(input))
    problems.push("input is no object");
  return problems;
}

/**
 * OpenAI: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'";
 * "messages with role 'tool' must be a response to a preceding message with 'tool_calls'".
 */
function pairingProblems(messages: Fields[]): string[] {
  const problems: string[] = [];
  let expected: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const id = expected.shift();
      if (id !== message.tool_call_id)
        problems.push(`message ${index}: result of ${String(message.tool_call_id)}`);
      continue;
    }
    if (expected.length > 0)
      problems.push(`message ${index}: ${expected.length} calls before it lack results`);
    expected = message.role === "assistant" ? idsOf(message) : [];
  }
  return expected.length > 0 ? [...problems, "calls at the end lack results"] : problems;
}

/** Anthropic: "`tool_use` ids must be unique". */
function repeatedIds(messages: Fields[]): string[] {
  const ids = messages.flatMap(idsOf);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id ${id} is used twice`);
}

function idsOf(message: Fields): string[] {
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as Fields[]) : [];
  return calls.map(({ id }) => String(id));
}
