// What one run of the runner knows so far. It lives for one turn and is never shared between turns.
import { createHash } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { GrowingText } from "../lib/formats/growing-text.ts";
import { noUsage } from "../lib/usage.ts";
import type { Message, ToolCall, ToolDefinition } from "../llm/types.ts";
import { toEndId, toReplyId } from "../storage/sessions/format/entry-id.ts";
import type { ShrinkReason, ToolUse, TurnRequest, TurnResult, TurnStop } from "./events.ts";

/** In one turn. A prompt grows full again and again; a host names its window once, or a smaller one each time. */
const mostShrinks: Record<ShrinkReason, number> = { refused: 1, window: 4, full: Number.POSITIVE_INFINITY };

export class RunState {
  readonly request: TurnRequest;
  readonly clock: Clock;
  readonly guard = new RepeatGuard();
  readonly labels: Set<string>;
  readonly uses: ToolUse[] = [];
  /** The prompt and everything said since. */
  messages: Message[];
  toolDefinitions: readonly ToolDefinition[];
  /** Whole answers of this turn, more than one when the user followed up in the middle. */
  readonly answers: string[];
  usage = noUsage;
  step: number;
  /** Text of the current reply that was already shown. */
  readonly partial = new GrowingText();
  /** Calls that were announced and have no result yet. */
  openCalls: ToolCall[] = [];
  blanks = 0;
  /** Text of a reply that was cut by the output limit and is being continued. */
  cutText = "";
  continuations = 0;
  corrections = 0;
  nextToolChoice: "auto" | "none" = "auto";
  readonly #shrunk = new Map<ShrinkReason, number>();
  readonly #ids = new Set<string>();

  constructor(request: TurnRequest, clock: Clock) {
    this.request = request;
    this.clock = clock;
    this.labels = new Set(request.labels);
    this.messages = [...request.messages];
    this.toolDefinitions = request.toolDefinitions;
    this.step = request.firstStep ?? 0;
    this.answers = [...(request.answers ?? [])];
  }

  get replyId(): string {
    return toReplyId(this.request.turnId, this.step);
  }

  /** An id is given once: a step that already spoke, by its calls, ends under another one. */
  claimId(id: string): string {
    const claimed = this.#ids.has(id) ? toEndId(id) : id;
    this.#ids.add(claimed);
    return claimed;
  }

  /** False when that was done often enough, or cannot be done: a prompt that does not fit is never tried for ever. */
  async shrink(why: ShrinkReason, window?: number): Promise<boolean> {
    const { shrink } = this.request;
    const times = this.#shrunk.get(why) ?? 0;
    if (shrink === undefined || times >= mostShrinks[why]) return false;
    this.#shrunk.set(why, times + 1);
    const { messages, toolDefinitions } = await shrink(why, window);
    this.messages = [...messages];
    this.toolDefinitions = toolDefinitions;
    return true;
  }

  /** Something went forward: tools ran, or the user spoke. Patience starts again. */
  resetPatience(): void {
    this.blanks = 0;
    this.continuations = 0;
    this.corrections = 0;
    this.cutText = "";
  }

  toResult(stop: TurnStop, text: string, error?: TurnResult["error"]): TurnResult {
    return {
      text:
        this.answers.length === 0 ? text : [...this.answers, text].filter((part) => part !== "").join("\n\n"),
      stop,
      tools: this.uses,
      usage: this.usage,
      labels: [...this.labels],
      ...(error === undefined ? {} : { error }),
    };
  }
}

const warnAt = 3;
const stopAt = 5;

type RepeatVerdict = "run" | "warn" | "stop";

/** Notices a turn that goes in circles: the same call, the same result, nothing new in between. */
class RepeatGuard {
  readonly #times = new Map<string, number>();
  readonly #outcomes = new Set<string>();

  /** What to do with a call before it runs. A call that is not run still counts. */
  judge(call: string): RepeatVerdict {
    const time = (this.#times.get(call) ?? 0) + 1;
    if (time < warnAt) return "run";
    this.#times.set(call, time);
    return time >= stopAt ? "stop" : "warn";
  }

  /** A result that was not seen before is progress, and forgives every earlier repetition. */
  record(call: string, result: string): void {
    const outcome = createHash("sha1").update(call).update("\0").update(result).digest("base64");
    if (!this.#outcomes.has(outcome)) {
      this.#outcomes.add(outcome);
      this.#times.clear();
    }
    this.#times.set(call, (this.#times.get(call) ?? 0) + 1);
  }
}
