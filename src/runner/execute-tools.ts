// Runs the tool calls of one reply: read-only ones side by side, all others alone, results in the order of the calls.
// The tool runner is a boundary: whatever a tool throws becomes a result that the model can read; only an abort passes.

import type { Progress } from "../bus/live.ts";
import { phraseOfError } from "../i18n/user-error.ts";
import { sayInEnglish } from "../i18n/words.ts";
import { untilAborted } from "../lib/abort.ts";
import { AsyncQueue } from "../lib/async-queue.ts";
import { toOneLine, toWellFormed } from "../lib/text.ts";
import type { ContentPart, ToolCall, ToolMessage } from "../llm/types.ts";
import { DurabilityError } from "../storage/durability.ts";
import type { TurnEvent } from "./events.ts";
import { repeatedCallNote } from "./prompts.ts";
import type { RunState } from "./run-state.ts";
import { type Tool, type ToolContext, ToolError, type ToolResult } from "./tool.ts";

interface Finished {
  call: ToolCall;
  result: ToolResult;
  isReadOnly: boolean;
}

/** Yields each result as a message; returns the name of a tool that was called in circles, if one was. */
export async function* executeTools(
  state: RunState,
  calls: readonly ToolCall[],
): AsyncGenerator<TurnEvent, string | undefined> {
  let circling: string | undefined;
  const batches = toBatches(state, calls);
  for (const [index, batch] of batches.entries()) {
    const progress = new AsyncQueue<Progress>();
    const running = Promise.all(
      batch.map(async (call) => {
        const verdict = state.guard.judge(keyOf(call));
        if (verdict === "stop") circling = call.function.name;
        return verdict === "run" ? runCall(state, call, progress) : skipCall(call);
      }),
    ).finally(() => progress.close());
    // Without this an abort while the queue is drained would be an unhandled rejection.
    running.catch(() => {});
    yield* progress;
    for (const { call, result, isReadOnly } of await running) {
      const message = toToolMessage(call, result.content);
      state.messages.push(message);
      state.openCalls = state.openCalls.filter((open) => open !== call);
      const labels = [...state.labels];
      // Were it gone after a power cut, the next call would seem never to have begun.
      const isDurable = !isReadOnly || index < batches.length - 1;
      yield { type: "message", id: call.id, message, isFinal: false, isDurable, labels };
    }
  }
  return circling;
}

function toBatches(state: RunState, calls: readonly ToolCall[]): ToolCall[][] {
  const batches: ToolCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const canShare = isConcurrencySafe(state.request.tools.get(call.function.name));
    if (canShare && isOpen) batches.at(-1)?.push(call);
    else batches.push([call]);
    isOpen = canShare;
  }
  return batches;
}

export function isConcurrencySafe(tool: Tool | undefined): boolean {
  return tool?.readOnly === true && tool.exclusive !== true;
}

async function runCall(state: RunState, call: ToolCall, progress: AsyncQueue<Progress>): Promise<Finished> {
  const { name } = call.function;
  const tool = state.request.tools.get(name);
  const started = state.clock.elapsed();
  progress.push({
    type: "tool-start",
    callId: call.id,
    name,
    arguments: parseObject(call.function.arguments),
  });
  const result = await settle(state, call, tool, progress);
  const ms = Math.round(state.clock.elapsed() - started);
  const isError = result.isError === true;
  for (const label of result.labels ?? []) state.labels.add(label);
  state.uses.push({ name, ok: !isError, ms });
  state.guard.record(keyOf(call), JSON.stringify(result.content));
  progress.push({ type: "tool-end", callId: call.id, name, isError, ms, content: toText(result.content) });
  return { call, result, isReadOnly: tool?.readOnly === true };
}

async function settle(
  state: RunState,
  call: ToolCall,
  tool: Tool | undefined,
  progress: AsyncQueue<Progress>,
): Promise<ToolResult> {
  const { name } = call.function;
  if (tool === undefined) return failure(state.request.tools.describeUnknown(name));
  const parsed = tool.parameters.parse(call.function.arguments);
  if (!parsed.ok) return failure(`Invalid arguments for ${name}: ${parsed.problems.join("; ")}.`);
  const unknown = describeUnknown(tool, parsed.unknown);
  // A call that says more than its tool understands means something else than what would be done.
  if (unknown !== "" && tool.readOnly !== true)
    return failure(`Invalid arguments for ${name}, which did nothing: ${unknown}`);
  const { signal } = state.request;
  try {
    const context = toContext(state, call, (text) =>
      progress.push({ type: "tool-progress", callId: call.id, text }),
    );
    return withNote(await untilAborted(tool.execute(parsed.value, context), signal), unknown);
  } catch (error) {
    signal.throwIfAborted();
    // Whether the call counts as done is not decided here: the turn waits for its store, or ends.
    if (error instanceof DurabilityError) throw error;
    if (error instanceof ToolError) return failure(error.message);
    const said = phraseOfError(error);
    const reason = said && sayInEnglish(said);
    return failure(`${name} failed: ${reason ?? (error instanceof Error ? error.message : String(error))}`);
  }
}

const mostUnknown = 10;
const longestUnknown = 60;

/** "" where everything is known. */
function describeUnknown({ parameters }: Tool, unknown: readonly string[] = []): string {
  if (unknown.length === 0) return "";
  const names = unknown.slice(0, mostUnknown).map((name) => toOneLine(name, longestUnknown));
  const known = Object.keys(parameters.jsonSchema.properties ?? {});
  return `unknown ${names.join(", ")}; the parameters are: ${known.join(", ") || "none"}.`;
}

function withNote(result: ToolResult, note: string): ToolResult {
  if (note === "") return result;
  const { content } = result;
  const line = `(Ignored: ${note})`;
  if (typeof content === "string") return { ...result, content: `${content}\n\n${line}` };
  return { ...result, content: [...content, { type: "text", text: line }] };
}

function toContext(state: RunState, call: ToolCall, progress: (text: string) => void): ToolContext {
  const { origin, sessionKey, turnId, signal, ask, said } = state.request;
  const ownWords = state.request.ownWords?.() ?? "";
  return {
    origin,
    sessionKey,
    turnId,
    callId: call.id,
    signal,
    labels: state.labels,
    ownWords,
    ...(said && { said }),
    progress,
    ask,
  };
}

function skipCall(call: ToolCall): Finished {
  return { call, result: failure(repeatedCallNote), isReadOnly: true };
}

function failure(content: string): ToolResult {
  return { content, isError: true };
}

export function toToolMessage(call: ToolCall, content: string | ContentPart[]): ToolMessage {
  return { role: "tool", tool_call_id: call.id, name: call.function.name, content: settleContent(content) };
}

/** Blank results and lone surrogates are settled here, because providers reject both. */
function settleContent(content: string | ContentPart[]): string | ContentPart[] {
  if (typeof content === "string") return content.trim() === "" ? "(no output)" : toWellFormed(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: toWellFormed(part.text) } : part));
}

function toText(content: string | ContentPart[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

function keyOf(call: ToolCall): string {
  return `${call.function.name} ${call.function.arguments}`;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
