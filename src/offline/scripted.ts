// The scripted model: replies given as data, for tests and for embedding. It reads nothing of what it is asked.
import { phrase } from "../i18n/phrase.ts";
import { untilAborted } from "../lib/abort.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { toFailedEnd } from "../llm/provider-error.ts";
import type {
  ModelEvent,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderError,
  ToolCall,
} from "../llm/types.ts";
import type { ScriptedCall, ScriptedReply } from "./script-file.ts";

export type { ScriptedReply };

export type ScriptStep = string | ScriptedReply;

/** In code a step may look at the request, and take its time. */
export type CodeStep = ScriptStep | ((request: ModelRequest) => ScriptStep | Promise<ScriptStep>);

export type CodeScript = readonly CodeStep[] | { steps: readonly CodeStep[]; loop?: boolean };

export interface ScriptedProvider extends Provider {
  /** What it was asked so far, as it was at that moment; only the newest thousand are kept. */
  readonly requests: readonly ModelRequest[];
}

const mostRequests = 1000;
const host = "scripted";

/**
 * ```ts
 * const model = createScripted([
 *   { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
 *   "There are three files.",
 * ]);
 * ```
 */
export function createScripted(script: CodeScript, clock: Clock = systemClock): ScriptedProvider {
  const { steps, loop = false } = "steps" in script ? script : { steps: script };
  const requests: ModelRequest[] = [];
  let taken = 0;
  let calls = 0;

  function takeStep(request: ModelRequest): ScriptStep | Promise<ScriptStep> | undefined {
    const step = steps[loop && steps.length > 0 ? taken % steps.length : taken];
    taken++;
    return typeof step === "function" ? step(request) : step;
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    requests.push(structuredClone(request));
    if (requests.length > mostRequests) requests.shift();
    const step = await untilAborted(Promise.resolve(takeStep(request)), signal);
    if (step === undefined) {
      const over = phrase("model.script-over", { steps: steps.length });
      yield toFailedEnd(request, { kind: "invalid-request", host, phrase: over });
      return;
    }
    const reply: ScriptedReply = typeof step === "string" ? { text: step } : step;
    if (reply.delayMs !== undefined) await clock.sleep(reply.delayMs, signal);
    const toolCalls = reply.toolCalls?.map((call) => ({ id: `call_${++calls}`, ...call }));
    yield* playReply({ ...reply, toolCalls }, request, signal);
  }

  return { requests, stream };
}

/** The events of a reply that is known as a whole, with an id in every call. */
export async function* playReply(
  reply: ScriptedReply,
  { model }: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const toolCalls = (reply.toolCalls ?? []).map(toToolCall);
  for (const event of toPieces(reply, toolCalls)) {
    signal.throwIfAborted();
    yield event;
  }
  signal.throwIfAborted();
  if (reply.hold === true) await untilAborted(new Promise(() => {}), signal);
  yield { type: "reply-end", reply: toModelReply(reply, toolCalls, model) };
}

function toError({ message: detail, ...facts }: NonNullable<ScriptedReply["error"]>): ProviderError {
  return { host, ...facts, ...(detail !== undefined && { detail }) };
}

function toToolCall({ name, arguments: args = {}, id = "" }: ScriptedCall): ToolCall {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: text } };
}

function* toPieces(reply: ScriptedReply, toolCalls: ToolCall[]): Generator<ModelEvent> {
  if (reply.reasoning !== undefined) yield { type: "reasoning-delta", text: reply.reasoning };
  for (const text of reply.deltas ?? [reply.text ?? ""]) if (text !== "") yield { type: "text-delta", text };
  for (const [index, call] of toolCalls.entries()) {
    yield { type: "tool-call-delta", index, name: call.function.name };
    yield { type: "tool-call-delta", index, argumentsDelta: call.function.arguments };
  }
}

function toModelReply(reply: ScriptedReply, toolCalls: ToolCall[], model: string): ModelReply {
  const error = reply.error && toError(reply.error);
  return {
    message: {
      role: "assistant",
      content: reply.text ?? reply.deltas?.join("") ?? null,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
    },
    stop: error ? "error" : (reply.stop ?? (toolCalls.length > 0 ? "tool-calls" : "stop")),
    model,
    ...(reply.usage && { usage: reply.usage }),
    ...(error && { error }),
  };
}
