// One call while its server works on it: its time limit, the questions that the server asks a person meanwhile
// (`elicitation/create`, one question for each field), and what the server was refused.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { type Answer, type Asking, nobodyToAsk } from "../bus/ask.ts";
import type { Clock } from "../lib/clock.ts";
import { toPlainLine } from "../lib/text.ts";
import { type Content, type FormQuestion, readForm } from "./elicitation.ts";

export interface RunningCallOptions {
  server: string;
  redact(text: string): string;
  /** Asks the person in whose turn the call runs; absent where there is none. Rejects when the signal aborts. */
  askPerson?(asking: Asking, signal: AbortSignal): Promise<Answer>;
}

/** For the model. */
export interface Declined {
  /** What the server did, such as `asked the user: ...`. */
  what: string;
  why: string;
}

const mostDeclined = 3;
const mostQuestions = 10;
/** For one field; a third answer that does not fit is a no. */
const mostTries = 3;

export class RunningCall {
  readonly declined: Declined[] = [];
  deadline?: Deadline;
  readonly #options: RunningCallOptions;
  readonly #ended = new AbortController();
  #questions = 0;
  #lastQuestion: Promise<unknown> = Promise.resolve();

  constructor(options: RunningCallOptions) {
    this.#options = options;
  }

  /** One question at a time. */
  elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const result = this.#lastQuestion.then(() => this.#elicit(params, signal));
    this.#lastQuestion = result.catch(() => {});
    return result;
  }

  note(declined: Declined): void {
    if (this.declined.length < mostDeclined) this.declined.push(declined);
  }

  /** Withdraws open questions. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#lastQuestion;
  }

  async #elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const what = describeElicitation(params);
    const questions = readForm(params, this.#options);
    this.#questions += 1;
    if (questions === undefined || this.#questions > mostQuestions) {
      this.note({
        what,
        why: questions === undefined ? "such a form cannot be shown" : "it asked too often",
      });
      return { action: "decline" };
    }
    const ending = AbortSignal.any([signal, this.#ended.signal]);
    let content: Content = {};
    for (const question of questions) {
      const filled = await this.#fill(question, ending);
      if (filled === undefined) return { action: "cancel" };
      if ("refused" in filled) {
        this.note({ what, why: describeRefusal(filled.refused) });
        return { action: filled.refused.silence === "late" ? "cancel" : "decline" };
      }
      content = { ...content, ...filled.content };
      if (filled.isAll) break;
    }
    // A page that was opened has no fields.
    return params.mode === "url" ? { action: "accept" } : { action: "accept", content };
  }

  /** Undefined when it was withdrawn. */
  async #fill(
    { asking, read }: FormQuestion,
    signal: AbortSignal,
  ): Promise<{ content: Content; isAll?: boolean } | { refused: Answer } | undefined> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#ask(asking, signal);
      if (answer === undefined) return undefined;
      const filled = read(answer);
      if (filled !== undefined) return filled;
      if (answer.text === undefined || tries >= mostTries) return { refused: answer };
    }
  }

  /** Undefined when it was withdrawn. */
  async #ask(asking: Asking, signal: AbortSignal): Promise<Answer | undefined> {
    const { askPerson } = this.#options;
    if (askPerson === undefined) return nobodyToAsk;
    if (signal.aborted) return undefined;
    this.deadline?.stop();
    try {
      return await askPerson(asking, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return undefined;
    } finally {
      if (!this.#ended.signal.aborted) this.deadline?.start();
    }
  }
}

export function describeElicitation({ message }: ElicitRequestParams): string {
  return `asked the user: ${toPlainLine(message, 200)}`;
}

function describeRefusal({ silence }: Answer): string {
  if (silence === undefined) return "the user said no";
  return silence === "nobody" ? "nobody is there to be asked" : "nobody answered within 10 minutes";
}

interface DeadlineOptions {
  clock: Clock;
  limitMs: number;
  totalMs: number;
  /** The reason of the signal. */
  toReason(): Error;
}

/** The time limit of one call: starts again with each report of progress, up to a total, and pauses while a person is asked. */
export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #over = new AbortController();
  #timer?: AbortController;
  #startedAt = 0;
  #leftMs: number;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#leftMs = options.totalMs;
    this.start();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  start(): void {
    const { clock, limitMs, toReason } = this.#options;
    this.stop();
    const timer = new AbortController();
    this.#timer = timer;
    this.#startedAt = clock.elapsed();
    clock.sleep(Math.max(0, Math.min(limitMs, this.#leftMs)), timer.signal).then(
      () => this.#over.abort(toReason()),
      () => {},
    );
  }

  /** Progress counts only while the time runs. */
  extend(): void {
    if (this.#timer !== undefined) this.start();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    this.#leftMs -= this.#options.clock.elapsed() - this.#startedAt;
    this.#timer.abort();
    this.#timer = undefined;
  }
}
