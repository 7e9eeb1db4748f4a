// One call while its server works on it: its time limit, the questions that the server asks a person meanwhile
// (`elicitation/create`, as a question with choices), and what the server was refused.
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { type Answer, type Asking, type Choice, nobodyToAsk, noChoice, yesOrNo } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { toPlainLine } from "../lib/text.ts";
import { cleanText } from "./schema.ts";

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

type Content = NonNullable<ElicitResult["content"]>;
type Field = ElicitRequestFormParams["requestedSchema"]["properties"][string];
type FilledChoice = Choice & { content: Content };

interface Form {
  asking: Asking;
  /** By the id of a choice; absent for the one that refuses. */
  contents: Map<string, Content>;
}

const longestMessage = 1_000;
const longestLabel = 100;
const mostOptions = 20;
/** A chat app would format a label with these, or hide a link in it. */
const markup = /[`*~[\]<>|\\]/g;
const refusal: Choice = { id: noChoice, phrase: phrase("mcp.refuse") };

/** Undefined for a form that no choice can fill in. */
function readForm(
  { message, requestedSchema }: ElicitRequestFormParams,
  { server, redact }: { server: string; redact(text: string): string },
): Form | undefined {
  const [first, ...others] = Object.entries(requestedSchema.properties);
  if (others.length > 0) return undefined;
  const filled = first === undefined ? toConsent() : toChoices(...first, redact);
  if (filled.length === 0) return undefined;
  const { title, description } = first?.[1] ?? {};
  const texts = [message, title ?? first?.[0] ?? "", description ?? ""];
  const detail = texts.map((text) => redact(cleanText(text, longestMessage))).filter((text) => text !== "");
  const last = first === undefined ? yesOrNo.filter(({ id }) => id === noChoice) : [refusal];
  return {
    asking: {
      phrase: phrase("mcp.asks", { server }),
      detail: detail.join("\n"),
      choices: [...filled.map(({ content: _, ...choice }) => choice), ...last],
    },
    contents: new Map(filled.map(({ id, content }) => [id, content])),
  };
}

function toConsent(): FilledChoice[] {
  return [{ id: "yes", phrase: phrase("choice.yes"), content: {} }];
}

/** None where the field is not a boolean or one of a few named values. */
function toChoices(name: string, field: Field, redact: (text: string) => string): FilledChoice[] {
  if (field.type === "boolean") {
    return [
      { id: "yes", phrase: phrase("choice.yes"), content: { [name]: true } },
      { id: "false", phrase: phrase("choice.no"), content: { [name]: false } },
    ];
  }
  const options = readOptions(field).map(({ value, title }) => {
    return { value, label: redact(cleanText(title.replaceAll(markup, "'"), longestLabel)) };
  });
  const labels = new Set(options.map(({ label }) => label));
  if (options.length > mostOptions || labels.size < options.length || labels.has("")) return [];
  return options.map(({ value, label }, index) => {
    return { id: `${index + 1}`, phrase: phrase("mcp.option", { label }), content: { [name]: value } };
  });
}

function readOptions(field: Field): Array<{ value: string; title: string }> {
  if (field.type !== "string") return [];
  if ("oneOf" in field) return field.oneOf.map((option) => ({ value: option.const, title: option.title }));
  if (!("enum" in field)) return [];
  const titles = "enumNames" in field ? field.enumNames : undefined;
  return field.enum.map((value, index) => ({ value, title: titles?.[index] ?? value }));
}
