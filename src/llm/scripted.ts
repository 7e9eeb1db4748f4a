// The scripted model: replies given as data, for tests and for embedding. It reads nothing of what it is asked.
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Usage } from "../lib/usage.ts";
import type {
  ModelEvent,
  ModelReply,
  ModelRequest,
  Provider,
  ProviderError,
  ReplyStop,
  ToolCall,
} from "./types.ts";

export interface ScriptedCall {
  name: string;
  /** A string goes out as it is, so that broken JSON can be scripted. Default {}. */
  arguments?: Record<string, unknown> | string;
  /** Default `call_1`, `call_2` ... over the whole script. */
  id?: string;
}

export interface ScriptedReply {
  text?: string;
  /** The text in the pieces it is streamed in; default one piece. Without `text` they make up the text. */
  deltas?: string[];
  reasoning?: string;
  toolCalls?: ScriptedCall[];
  stop?: Exclude<ReplyStop, "error">;
  usage?: Usage;
  /** The reply ends with this failure, after what was streamed. */
  error?: Partial<ProviderError> & Pick<ProviderError, "kind">;
  /** A wait before the first piece. */
  delayMs?: number;
  /** After its last piece the reply hangs until it is aborted. */
  hold?: boolean;
}

export type ScriptStep = string | ScriptedReply;

export interface Script {
  steps: readonly ScriptStep[];
  /** Begins again after the last step. */
  loop?: boolean;
}

/** In code a step may look at the request. */
export type CodeStep = ScriptStep | ((request: ModelRequest) => ScriptStep);

export type CodeScript = readonly CodeStep[] | { steps: readonly CodeStep[]; loop?: boolean };

export interface ScriptedProvider extends Provider {
  /** What it was asked so far, as it was at that moment; only the newest thousand are kept. */
  readonly requests: readonly ModelRequest[];
}

const mostRequests = 1000;

/**
 * ```ts
 * const model = createScripted([
 *   { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] },
 *   "There are three files.",
 * ]);
 * ```
 */
export function createScripted(script: CodeScript, clock: Clock = systemClock): ScriptedProvider {
  const { steps, loop = false } = isList(script) ? { steps: script } : script;
  const requests: ModelRequest[] = [];
  let taken = 0;
  let calls = 0;

  function takeStep(request: ModelRequest): ScriptStep {
    const step = steps[loop && steps.length > 0 ? taken % steps.length : taken];
    taken++;
    if (step === undefined) return exhausted(steps.length);
    return typeof step === "function" ? step(request) : step;
  }

  function toToolCall({ name, arguments: args = {}, id }: ScriptedCall): ToolCall {
    calls++;
    const text = typeof args === "string" ? args : JSON.stringify(args);
    return { id: id ?? `call_${calls}`, type: "function", function: { name, arguments: text } };
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    requests.push(structuredClone(request));
    if (requests.length > mostRequests) requests.shift();
    const step = takeStep(request);
    const reply: ScriptedReply = typeof step === "string" ? { text: step } : step;
    if (reply.delayMs !== undefined) await clock.sleep(reply.delayMs, signal);
    const toolCalls = (reply.toolCalls ?? []).map(toToolCall);
    for (const event of toPieces(reply, toolCalls)) {
      signal.throwIfAborted();
      yield event;
    }
    signal.throwIfAborted();
    if (reply.hold === true) await waitForAbort(signal);
    yield { type: "reply-end", reply: toModelReply(reply, toolCalls, request.model) };
  }

  return { requests, stream };
}

function isList(script: CodeScript): script is readonly CodeStep[] {
  return Array.isArray(script);
}

function exhausted(length: number): ScriptedReply {
  const message = `The script is used up: it has ${length} steps. Add a step, or set "loop": true.`;
  return { error: { kind: "invalid-request", message } };
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
  const error = reply.error && {
    host: "scripted",
    message: `The script ends this reply with the error "${reply.error.kind}".`,
    ...reply.error,
  };
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

function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
