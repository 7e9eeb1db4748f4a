// A history that every provider accepts, built by adding stored messages one after the other. What has once come out
// never changes by what is added later: an assistant's calls are held back until each has its result, or can get none.
import { remember } from "../../../lib/remember.ts";
import { isBlank } from "../../../lib/text.ts";
import type { AssistantMessage, ContentPart, Message, ToolCall, ToolMessage } from "../../../llm/types.ts";
import type { StoredMessage } from "./message.ts";

type Stored<R extends Message["role"]> = Extract<StoredMessage, { role: R }>;

interface OpenCalls {
  assistant: Stored<"assistant">;
  calls: readonly ToolCall[];
  /** Positions of the calls that wait for a result, the first one last, by the id that the file gives. */
  waiting: Map<string, number[]>;
  results: Map<number, Stored<"tool">>;
  /** Texts that were pushed into the chat while the calls ran. */
  deliveries: Stored<"assistant">[];
}

const fieldsOf: Record<Message["role"], ReadonlySet<string>> = {
  system: new Set(["role", "content"]),
  user: new Set(["role", "content"]),
  assistant: new Set(["role", "content", "tool_calls", "reasoning_content", "thinking_blocks"]),
  tool: new Set(["role", "content", "tool_call_id", "name"]),
};

const lostResult = "No result: the call was interrupted or its result was lost. It may have taken effect.";
const emptyMessage = "(empty message)";
const emptyResult = "(no output)";
const opener = "(The assistant wrote first.)";

export class LegalHistory {
  readonly messages: Message[] = [];
  readonly #ids = new CallIds();
  #open: OpenCalls | undefined;
  /** A delivery that may turn out to stand directly before the first user's message. */
  #greeting: Stored<"assistant"> | undefined;

  add(message: StoredMessage): void {
    if (message._command === true) return;
    if (message.role === "user" || message.role === "system") this.#addSpoken(message);
    else if (message.role === "assistant") this.#addAssistant(message);
    else if (message.role === "tool") this.#addResult(message);
  }

  #addSpoken(message: Stored<"user"> | Stored<"system">): void {
    this.#settle();
    if (this.#greeting !== undefined) {
      this.messages.push({ role: "user", content: opener }, pick(this.#greeting));
      this.#greeting = undefined;
    }
    // A system message in the middle is refused by some hosts and would displace the prompt at others.
    const spoken =
      message.role === "user" ? pick(message) : { role: "user" as const, content: message.content };
    this.messages.push(withContent(spoken, emptyMessage));
  }

  #addAssistant(message: Stored<"assistant">): void {
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && isBlank(message.content)) return;
    const isDelivery = message._channel_delivery === true && calls.length === 0;
    if (this.messages.length === 0 && this.#open === undefined) {
      this.#greeting = isDelivery ? message : undefined;
    } else if (isDelivery && this.#open !== undefined) {
      this.#open.deliveries.push(message);
    } else {
      this.#settle();
      if (calls.length > 0) this.#open = openCalls(message, calls);
      else this.messages.push(pick(message));
    }
  }

  #addResult(message: Stored<"tool">): void {
    if (this.messages.length === 0) this.#greeting = undefined;
    if (this.#open === undefined) return;
    const { calls, waiting, results } = this.#open;
    const position = waiting.get(message.tool_call_id)?.pop();
    if (position === undefined) return;
    results.set(position, message);
    if (results.size === calls.length) this.#settle();
  }

  /** Every call gets exactly one result, directly after it and in its order. */
  #settle(): void {
    if (this.#open === undefined) return;
    const { assistant, calls, results, deliveries } = this.#open;
    this.#open = undefined;
    const renamed = calls.map((call) => ({ ...call, id: this.#ids.claim(call.id) }));
    const isSame = renamed.every(({ id }, position) => id === calls[position]?.id);
    const sent = pick(assistant) as AssistantMessage;
    this.messages.push(isSame ? sent : { ...sent, tool_calls: renamed });
    for (const [position, call] of calls.entries()) {
      this.messages.push(toResult(results.get(position), call, renamed[position]?.id ?? call.id));
    }
    for (const delivery of deliveries) this.messages.push(pick(delivery));
  }
}

function openCalls(assistant: Stored<"assistant">, calls: readonly ToolCall[]): OpenCalls {
  const waiting = new Map<string, number[]>();
  for (const [position, { id }] of [...calls.entries()].reverse()) {
    const positions = waiting.get(id);
    if (positions === undefined) waiting.set(id, [position]);
    else positions.push(position);
  }
  return { assistant, calls, waiting, results: new Map(), deliveries: [] };
}

/** Call ids, each given out once: a repeated one becomes `id-2`, `id-3` and so on. */
class CallIds {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  claim(id: string): string {
    let candidate = id;
    let number = this.#next.get(id) ?? 2;
    while (this.#taken.has(candidate)) candidate = `${id}-${number++}`;
    if (candidate !== id) this.#next.set(id, number);
    this.#taken.add(candidate);
    return candidate;
  }
}

function toResult(result: Stored<"tool"> | undefined, call: ToolCall, id: string): ToolMessage {
  const { name } = call.function;
  if (result === undefined) return { role: "tool", tool_call_id: id, name, content: lostResult };
  const picked = withContent(pick(result) as ToolMessage, emptyResult);
  if (picked.tool_call_id === id && picked.name === name) return picked;
  return { ...picked, tool_call_id: id, name };
}

/**
 * The fields that go to a model, in the order in which they are stored. The same object in every turn: what is known of
 * it, such as its estimated tokens, stays known.
 */
const pick = remember((message: StoredMessage): Message => {
  const fields = fieldsOf[message.role];
  const picked: Record<string, unknown> = {};
  for (const field of Object.keys(message)) if (fields.has(field)) picked[field] = message[field];
  return picked as unknown as Message;
});

/** The message itself, or with a placeholder where providers refuse blank content. */
function withContent<M extends Message>(message: M, placeholder: string): M {
  const { content } = message;
  if (typeof content === "string" || content === null) {
    return isBlank(content) ? { ...message, content: placeholder } : message;
  }
  const parts = content.filter((part: ContentPart) => part.type !== "text" || !isBlank(part.text));
  if (parts.length === content.length && parts.length > 0) return message;
  return { ...message, content: parts.length === 0 ? placeholder : parts };
}
