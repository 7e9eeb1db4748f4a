// Takes configured secrets out of whatever is sent to a model, wherever it came from: a file, a pipe, a person. A message
// without any stays the same object, and what was once taken out is taken out again, byte for byte.
import type { ContentPart, Message, ModelRequest, Provider } from "../llm/types.ts";

type Clean = (text: string) => string;

export function withoutSecrets(provider: Provider, clean: Clean): Provider {
  const known = new WeakMap<Message, Message>();

  function cleanOnce(message: Message): Message {
    const cleaned = known.get(message) ?? cleanMessage(message, clean);
    known.set(message, cleaned);
    return cleaned;
  }

  return {
    stream: (request: ModelRequest, signal) =>
      provider.stream({ ...request, messages: request.messages.map(cleanOnce) }, signal),
  };
}

export function cleanMessage(message: Message, clean: Clean): Message {
  const changed: Record<string, unknown> = {};
  const { content } = message;
  if (content !== null) replace(changed, "content", content, cleanContent(content, clean));
  if (message.role === "assistant") {
    const { tool_calls: calls, reasoning_content: reasoning } = message;
    if (reasoning !== undefined) replace(changed, "reasoning_content", reasoning, clean(reasoning));
    if (calls?.some((call) => clean(call.function.arguments) !== call.function.arguments))
      changed.tool_calls = calls.map((call) => ({
        ...call,
        function: { ...call.function, arguments: clean(call.function.arguments) },
      }));
  }
  return Object.keys(changed).length === 0 ? message : ({ ...message, ...changed } as Message);
}

function replace(changed: Record<string, unknown>, field: string, before: unknown, after: unknown): void {
  if (after !== before) changed[field] = after;
}

function cleanContent(content: string | ContentPart[], clean: Clean): string | ContentPart[] {
  if (typeof content === "string") return clean(content);
  const parts = content.map((part) =>
    part.type === "text" && clean(part.text) !== part.text ? { ...part, text: clean(part.text) } : part,
  );
  return parts.every((part, index) => part === content[index]) ? content : parts;
}
