// One call while its server works on it: its time limit, the questions that the server asks meanwhile, and what the
// server was refused.
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { type Answer, type Asking, nobodyToAsk } from "../bus/ask.ts";
import { toPlainLine } from "../lib/text.ts";
import type { Deadline } from "./deadline.ts";
import { type Form, readForm } from "./elicitation.ts";

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
/** A person can stop the turn, but should not have to. */
const mostQuestions = 10;

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
  elicit(params: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
    const result = this.#lastQuestion.then(() => this.#elicit(params, signal));
    this.#lastQuestion = result.catch(() => {});
    return result;
  }

  note(declined: Declined): void {
    if (this.declined.length < mostDeclined) this.declined.push(declined);
  }

  /** Withdraws what is still asked. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#lastQuestion;
  }

  async #elicit(params: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
    const what = describeElicitation(params);
    const form = readForm(params, this.#options);
    this.#questions += 1;
    if (form === undefined || this.#questions > mostQuestions) {
      this.note({ what, why: form === undefined ? "such a form cannot be shown" : "it asked too often" });
      return { action: "decline" };
    }
    const answer = await this.#ask(form, AbortSignal.any([signal, this.#ended.signal]));
    if (answer === undefined) return { action: "cancel" };
    const content = form.contents.get(answer.choice);
    if (content !== undefined) return { action: "accept", content };
    this.note({ what, why: describeRefusal(answer) });
    return { action: answer.silence === "late" ? "cancel" : "decline" };
  }

  /** Undefined when it was withdrawn. */
  async #ask({ asking }: Form, signal: AbortSignal): Promise<Answer | undefined> {
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

export function describeElicitation({ message }: ElicitRequestFormParams): string {
  return `asked the user: ${toPlainLine(message, 200)}`;
}

function describeRefusal({ silence }: Answer): string {
  if (silence === undefined) return "the user said no";
  return silence === "nobody" ? "nobody is there to be asked" : "nobody answered within 10 minutes";
}
