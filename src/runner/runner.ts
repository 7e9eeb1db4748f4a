// AgentRunner: model, tools, model ... until a final answer. Knows no channel, session, file or config.
import { sayInEnglish } from "../i18n/words.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import { isBlank } from "../lib/text.ts";
import { addUsage } from "../lib/usage.ts";
import { toPhrase } from "../llm/errors/provider-error.ts";
import type {
  AssistantMessage,
  Message,
  ModelReply,
  ModelRequest,
  ProviderError,
  ToolCall,
} from "../llm/types.ts";
import { hostIdKey, isTellingId } from "../llm/wire/tool-calls.ts";
import { toPromptId, toResultId } from "../storage/sessions/format/entry-id.ts";
import type { TurnEvent, TurnMessage, TurnRequest, TurnResult, TurnStop } from "./events.ts";
import { executeTools, isConcurrencySafe, toToolMessage } from "./execute-tools.ts";
import * as prompts from "./prompts.ts";
import { RunState } from "./run-state.ts";

type Steps<T> = AsyncGenerator<TurnEvent, T>;

/** A result ends the turn; undefined asks the model again. */
type Outcome = TurnResult | undefined;

const blanksBeforePrompt = 1;
const blanksBeforeGivingUp = 2;
const mostContinuations = 3;

export class AgentRunner {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  async *run(request: TurnRequest): Steps<TurnResult> {
    const state = new RunState(request, this.#clock);
    try {
      while (state.step - (request.firstStep ?? 0) < request.maxSteps) {
        const reply = yield* callModel(state);
        const outcome = yield* handleReply(state, reply);
        if (outcome !== undefined) return outcome;
      }
      return yield* endOutOfSteps(state);
    } catch (error) {
      if (!request.signal.aborted) throw error;
      return yield* endCancelled(state);
    }
  }

  /** Calls of a reply that a crash left without results, in their order: each gets one, and the turn can go on. */
  async *finishCalls(request: TurnRequest, calls: readonly ToolCall[]): Steps<void> {
    yield* repeatCalls(new RunState(request, this.#clock), calls);
  }
}

/** The first may have happened, the others never began: a call starts only when all before it have their result. */
async function* repeatCalls(state: RunState, calls: readonly ToolCall[]): Steps<void> {
  const [first, ...others] = calls;
  if (first === undefined) return;
  const { readOnly, repeat = "never" } = state.request.tools.get(first.function.name) ?? {};
  if (readOnly === true || repeat !== "never") {
    yield* executeTools(state, calls);
    return;
  }
  yield* say(state, toToolMessage(first, prompts.crashedNote), { id: first.id, isDurable: true });
  yield* executeTools(state, others);
}

async function* handleReply(state: RunState, reply: ModelReply): Steps<Outcome> {
  if (reply.error !== undefined) return yield* handleError(state, reply.error);
  const { tool_calls: calls = [], ...message } = reply.message;
  // A call under any other stop may have lost its end: it is never run.
  const mayCall = reply.stop === "tool-calls" || reply.stop === "stop";
  if (calls.length > 0 && mayCall) return yield* runCalls(state, reply.message, calls);
  if (reply.stop === "length") return yield* continueCutReply(state, message);
  if ((reply.malformedCalls ?? 0) > 0) return yield* correctMalformedCalls(state);
  const text = message.content ?? "";
  if (!isBlank(text)) return yield* answer(state, message, text);
  if (reply.stop === "refusal") return yield* end(state, "completed", prompts.refusedAnswer);
  return yield* askBlankReplyAgain(state);
}

async function* runCalls(state: RunState, message: AssistantMessage, calls: ToolCall[]): Steps<Outcome> {
  // Providers repeat their ids, across parallel calls and across turns: ours are unique.
  const ours = calls.map((call, index) => toOurCall(call, toResultId(state.replyId, index)));
  const areReadOnly = ours.every((call) => isConcurrencySafe(state.request.tools.get(call.function.name)));
  if (!isBlank(message.content)) yield { type: "text-end", isLast: false };
  yield* say(state, { ...message, tool_calls: ours }, { isDurable: !areReadOnly });
  state.partial.clear();
  state.openCalls = ours;
  const circling = yield* executeTools(state, ours);
  state.openCalls = [];
  state.resetPatience();
  if (circling !== undefined) return yield* end(state, "loop", prompts.loopAnswer(circling));
  yield* addFollowUps(state);
  return undefined;
}

/** A name that no provider would take back is settled before it is stored, so that replay changes nothing. */
function toOurCall(call: ToolCall, id: string): ToolCall {
  const name = call.function.name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  const extra = isRecord(call.extra_content) ? call.extra_content : {};
  const kept = isTellingId(call.id) ? { extra_content: { ...extra, [hostIdKey]: call.id } } : {};
  return { ...call, ...kept, id, function: { ...call.function, name } };
}

async function* answer(state: RunState, message: AssistantMessage, text: string): Steps<Outcome> {
  const whole = state.cutText + text;
  state.partial.clear();
  const followUps = (await state.request.takeFollowUps?.("answer")) ?? [];
  yield { type: "text-end", isLast: followUps.length === 0 };
  yield* say(state, message, { isFinal: followUps.length === 0 });
  if (followUps.length === 0) return state.toResult("completed", whole);
  state.answers.push(whole);
  state.resetPatience();
  for (const followUp of followUps) yield* sayFollowUp(state, followUp);
  return undefined;
}

async function* addFollowUps(state: RunState): Steps<void> {
  const followUps = (await state.request.takeFollowUps?.("step")) ?? [];
  for (const followUp of followUps) yield* sayFollowUp(state, followUp);
}

/** What it says itself is in the turn from here on, but not said by the turn: its own line has only its own labels. */
async function* sayFollowUp(state: RunState, { id, message, labels = [] }: TurnMessage): Steps<void> {
  for (const label of labels) state.labels.add(label);
  yield* say(state, message, { id, labels });
}

async function* continueCutReply(state: RunState, message: AssistantMessage): Steps<Outcome> {
  const text = message.content ?? "";
  state.cutText += text;
  state.continuations += 1;
  const isGivingUp = state.continuations > mostContinuations;
  if (isGivingUp && isBlank(text)) return yield* end(state, "empty", prompts.emptyAnswer);
  if (!isBlank(text)) {
    yield { type: "text-end", isLast: false };
    yield* say(state, message, {});
  }
  if (isGivingUp) return yield* end(state, "completed", `\n\n${prompts.cutOffNote}`);
  yield* prompt(state, isBlank(text) ? prompts.cutShortPrompt : prompts.continuePrompt(text));
  return undefined;
}

async function* correctMalformedCalls(state: RunState): Steps<Outcome> {
  state.corrections += 1;
  if (state.corrections > 2) return yield* end(state, "empty", prompts.emptyAnswer);
  if (state.corrections === 2) state.nextToolChoice = "none";
  yield* prompt(state, state.corrections === 1 ? prompts.malformedCallPrompt : prompts.finalAnswerPrompt);
  return undefined;
}

/** The first blank reply is simply asked again; the second gets a prompt without tools; the third ends the turn. */
async function* askBlankReplyAgain(state: RunState): Steps<Outcome> {
  state.blanks += 1;
  if (state.blanks > blanksBeforeGivingUp) return yield* end(state, "empty", prompts.emptyAnswer);
  if (state.blanks <= blanksBeforePrompt) return undefined;
  state.nextToolChoice = "none";
  yield* prompt(state, prompts.finalAnswerPrompt);
  return undefined;
}

async function* endOutOfSteps(state: RunState): Steps<TurnResult> {
  const { maxSteps } = state.request;
  yield* prompt(state, prompts.outOfStepsPrompt(maxSteps));
  state.nextToolChoice = "none";
  const reply = yield* callModel(state);
  const text = reply.error === undefined ? (reply.message.content ?? "") : "";
  if (!isBlank(text)) return yield* end(state, "max-steps", text);
  state.partial.clear();
  return yield* end(state, "max-steps", prompts.outOfStepsAnswer(maxSteps));
}

async function* handleError(state: RunState, error: ProviderError): Steps<Outcome> {
  if (error.kind !== "context-overflow") return yield* endFailed(state, error);
  const window = error.limit?.window;
  const isTriedAgain =
    (window !== undefined && (await state.shrink("window", window))) || (await state.shrink("refused"));
  return isTriedAgain ? undefined : yield* endFailed(state, error);
}

async function* endFailed(state: RunState, error: ProviderError): Steps<TurnResult> {
  const reason = prompts.failedText(sayInEnglish(toPhrase(error)));
  const end = `\n\n${reason}`;
  // Of a very long text there is one copy: what was shown is a part of what is stored.
  state.partial.add(end);
  const whole = state.cutText + state.partial.take();
  const shown = whole.slice(0, -end.length);
  yield { type: "text-end", isLast: true };
  const content = isBlank(shown) ? reason : whole;
  yield* say(state, { role: "assistant", content }, { isFinal: true, isFailure: true });
  return state.toResult("error", shown, error);
}

/** After an abort the caller still pulls: what was announced is closed, so that the history stays legal. */
async function* endCancelled(state: RunState): Steps<TurnResult> {
  for (const call of state.openCalls) {
    yield* say(state, toToolMessage(call, prompts.interruptedNote), { id: call.id });
  }
  const partial = state.partial.take();
  yield { type: "text-end", isLast: true };
  yield* say(state, { role: "assistant", content: prompts.stoppedText(partial) }, { isFinal: true });
  return state.toResult("cancelled", partial);
}

/** Ends the turn with a text that is ours, or that was not streamed as an answer. */
async function* end(state: RunState, stop: TurnStop, text: string): Steps<TurnResult> {
  if (state.partial.take() !== text) yield { type: "text-delta", text };
  yield { type: "text-end", isLast: true };
  yield* say(state, { role: "assistant", content: text.trim() }, { isFinal: true });
  return state.toResult(stop, state.cutText + text);
}

async function* prompt(state: RunState, content: string): Steps<void> {
  yield* say(state, { role: "user", content }, { id: toPromptId(state.replyId) });
}

interface SayOptions {
  id?: string;
  isFinal?: boolean;
  isDurable?: boolean;
  isFailure?: boolean;
  labels?: string[];
}

async function* say(state: RunState, message: Message, options: SayOptions): Steps<void> {
  const { id = state.replyId, isFinal = false, isDurable = isFinal, isFailure } = options;
  const { labels = [...state.labels] } = options;
  state.messages.push(message);
  const facts = { isFinal, isDurable, ...(isFailure && { isFailure }), labels };
  yield { type: "message", id: state.claimId(id), message, ...facts };
}

/** One step: one request to the model, its deltas passed on, its reply returned. */
async function* callModel(state: RunState): AsyncGenerator<TurnEvent, ModelReply> {
  const { signal, provider } = state.request;
  const isFurther = state.step > (state.request.firstStep ?? 0);
  if (isFurther && state.request.isFull?.() === true) await state.shrink("full");
  state.step += 1;
  state.partial.clear();
  yield { type: "step-start", ...toStep(state) };
  for await (const event of provider.stream(toModelRequest(state), signal)) {
    switch (event.type) {
      case "reply-end":
        state.usage = addUsage(state.usage, event.reply.usage);
        state.nextToolChoice = "auto";
        yield { ...toStep(state), type: "step-end", ...(event.reply.usage && { usage: event.reply.usage }) };
        return event.reply;
      case "text-delta":
        state.partial.add(event.text);
        yield event;
        break;
      case "text-reset":
        state.partial.clear();
        yield event;
        break;
      case "tool-call-delta":
      case "alive":
        break;
      default:
        yield event;
    }
  }
  throw new Error("the provider ended its stream without a reply");
}

function toModelRequest(state: RunState): ModelRequest {
  const { settings, origin, sessionKey, turnId } = state.request;
  const { toolDefinitions } = state;
  return {
    ...settings,
    messages: state.messages,
    attribution: { cause: origin.cause, sessionKey, turnId, person: origin.person },
    ...(toolDefinitions.length > 0 && { tools: toolDefinitions, toolChoice: state.nextToolChoice }),
  };
}

function toStep({ step, replyId: id }: RunState): { step: number; id: string } {
  return { step, id };
}
