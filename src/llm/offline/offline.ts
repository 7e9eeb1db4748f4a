// The offline model: a few rules behind the contract of every model, so that the whole program works without a key
// and without a network. It keeps nothing between calls; what it does next follows from the conversation alone.
import type { Clock } from "../../lib/clock.ts";
import { estimateJsonTokens, estimateTokens } from "../../lib/tokens.ts";
import type { ModelEvent, ModelReply, ModelRequest, Provider, ToolCall } from "../types.ts";
import { connectingHelp, describeLimits, emptyMessage, joinSayings } from "./about.ts";
import { append } from "./append.ts";
import { type Call, findMatch, type Match, type Saying } from "./intent.ts";
import { intents } from "./intents.ts";
import { readTurn, type Turn } from "./turn.ts";

export interface OfflineOptions {
  clock: Clock;
  version: string;
}

/** What it does next: it says something or calls one tool. */
type Move = { text: string } | { call: ToolCall };

export function createOffline({ clock, version }: OfflineOptions): Provider {
  return {
    async *stream(request, signal) {
      const move = decide(request, readTurn(request, clock), version);
      for (const event of toDeltas(move)) {
        signal.throwIfAborted();
        yield event;
      }
      signal.throwIfAborted();
      yield { type: "reply-end", reply: toReply(move, request) };
    },
  };
}

function decide(request: ModelRequest, turn: Turn, version: string): Move {
  if (turn.text === "") return { text: emptyMessage[turn.language] };
  const match = findMatch(intents, turn.text);
  if (match === undefined) return { text: describeLimits(turn.text.length)[turn.language] };
  const next = act(match, turn, version);
  if (!("name" in next)) return { text: next[match.language] };
  if (hasTool(request, next.name)) return { call: toToolCall(next, request) };
  return { text: describeMissing(next)[match.language] };
}

function act({ intent, subject }: Match, turn: Turn, version: string): Call | Saying {
  if ("say" in intent) return intent.say(turn, version);
  if ("add" in intent) return append(intent.add(subject), turn.results);
  const result = turn.results.at(-1);
  return result === undefined ? intent.call(subject) : intent.tell(result, subject);
}

function hasTool({ tools = [], toolChoice }: ModelRequest, name: string): boolean {
  return toolChoice !== "none" && tools.some((tool) => tool.name === name);
}

function describeMissing({ name }: Call): Saying {
  const missing = {
    english: `For that I need the tool \`${name}\`, which I may not use here.`,
    chinese: `这需要工具 \`${name}\`，但我在这里不能使用它。`,
  };
  return joinSayings(missing, connectingHelp);
}

/** Messages only ever become more, so their number makes the id unique within a conversation. */
function toToolCall({ name, arguments: args }: Call, { messages }: ModelRequest): ToolCall {
  const id = `offline_${messages.length}`;
  return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
}

function* toDeltas(move: Move): Generator<ModelEvent> {
  if ("call" in move) {
    const { name, arguments: argumentsDelta } = move.call.function;
    yield { type: "tool-call-delta", index: 0, name };
    yield { type: "tool-call-delta", index: 0, argumentsDelta };
    return;
  }
  for (const [text] of move.text.matchAll(/[\s\S]{1,24}/gu)) yield { type: "text-delta", text };
}

function toReply(move: Move, { messages, tools, model }: ModelRequest): ModelReply {
  const isCall = "call" in move;
  const said = isCall ? JSON.stringify(move.call.function) : move.text;
  const input = estimateJsonTokens(messages) + estimateJsonTokens(tools ?? []);
  return {
    message: isCall
      ? { role: "assistant", content: null, tool_calls: [move.call] }
      : { role: "assistant", content: move.text },
    stop: isCall ? "tool-calls" : "stop",
    model,
    usage: { input, cached: 0, output: estimateTokens(said) },
  };
}
