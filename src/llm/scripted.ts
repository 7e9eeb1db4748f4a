// The scripted model: replies given as data, for tests and for embedding. It reads nothing of what it is asked.

import { readFile } from "node:fs/promises";
import * as z from "zod";
import { phrase } from "../i18n/phrase.ts";
import { createWords, say } from "../i18n/words.ts";
import { untilAborted } from "../lib/abort.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { findJsonFault } from "../lib/formats/json-fault.ts";
import { stripBom } from "../lib/text.ts";
import { toFailedEnd } from "./errors/provider-error.ts";
import {
  errorKinds,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
  type Provider,
  type ProviderError,
  type ToolCall,
} from "./types.ts";

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

const count = z.int().nonnegative();
const text = z.string().optional();
const duration = z.number().nonnegative().optional();
const callArguments = z.union([z.record(z.string(), z.unknown()), z.string()], {
  error: "expected an object or a string",
});

const toolCall = z.strictObject({
  name: z.string(),
  /** A string goes out as it is, so that broken JSON can be scripted. Default {}. */
  arguments: callArguments.optional(),
  /** Default `call_1`, `call_2` ... over the whole script. */
  id: text,
});

const failure = z.strictObject({
  kind: z.enum(errorKinds),
  message: text,
  host: text,
  status: z.int().optional(),
  retryAfterMs: duration,
  isLoopback: z.boolean().optional(),
});

const reply = z.strictObject({
  text,
  /** The text in the pieces it is streamed in; default one piece. Without `text` they make up the text. */
  deltas: z.array(z.string()).optional(),
  reasoning: text,
  toolCalls: z.array(toolCall).optional(),
  stop: z.enum(["stop", "tool-calls", "length", "refusal"]).optional(),
  usage: z.strictObject({ input: count, cached: count.default(0), output: count }).optional(),
  /** The reply ends with this failure, after what was streamed. */
  error: failure.optional(),
  /** A wait before the first piece. */
  delayMs: duration,
  /** After its last piece the reply hangs until it is aborted. */
  hold: z.boolean().optional(),
});

const step = z.preprocess((value) => (typeof value === "string" ? { text: value } : value), reply);
const steps = z.array(step);
/** With `loop` it begins again after the last step. */
const script = z.strictObject({ steps, loop: z.boolean().optional() });

type ScriptedCall = z.infer<typeof toolCall>;
export type ScriptedReply = z.infer<typeof reply>;
export type Script = z.infer<typeof script>;

export type ParsedScript = { ok: true; script: Script } | { ok: false; problems: string[] };

export function parseScript(source: string): ParsedScript {
  const json = stripBom(source);
  const fault = findJsonFault(json);
  if (fault !== undefined) {
    return {
      ok: false,
      problems: [
        `not JSON, line ${fault.line}, column ${fault.column}: ${say(fault.reason, createWords("english"))}`,
      ],
    };
  }
  const value: unknown = JSON.parse(json);
  const parsed = script.safeParse(Array.isArray(value) ? { steps: value } : value);
  if (parsed.success) return { ok: true, script: parsed.data };
  return { ok: false, problems: parsed.error.issues.map((issue) => toProblem(issue, Array.isArray(value))) };
}

export async function readScript(path: string): Promise<ParsedScript> {
  try {
    return parseScript(await readFile(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { ok: false, problems: [`cannot be read (${code})`] };
  }
}

/** Plays a script of a file. What is wrong with it is in every reply, like a host that cannot be reached. */
export async function loadScripted(
  path: string,
  { clock, host: label }: { clock: Clock; host: string },
): Promise<Provider> {
  const parsed = await readScript(path);
  if (parsed.ok) return createScripted(parsed.script, clock);
  const { problems } = parsed;
  return {
    async *stream(request) {
      const said = phrase("model.bad-script", { path, problems });
      yield toFailedEnd(request, { kind: "invalid-request", host: label, phrase: said });
    },
  };
}

function toProblem({ path, message }: z.core.$ZodIssue, isList: boolean): string {
  const parts = (isList ? path.slice(1) : path).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  return parts.length === 0 ? message : `${parts.join("").replace(/^\./, "")}: ${message}`;
}
