// One question and its answer: drawn, printed, or as one JSON value. Does not know what answers.

import type { TurnOutcome } from "../../agent/job.ts";
import { toLastingCards } from "../../agent/lasting-cards.ts";
import type { Answer, Question } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { cutPieces } from "../../lib/text.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { TurnStop } from "../../runner/events.ts";
import { defaultSession } from "../command-line/options.ts";
import { LiveRegion } from "../draw/live-region.ts";
import { createMarkdown, loadTuiLibrary } from "../draw/markdown.ts";
import { PlainView } from "../draw/plain-view.ts";
import { frameMs, TurnView } from "../draw/turn-view.ts";
import { askOnce } from "../terminal/confirm.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

export interface Asked extends CommandContext {
  /** What was piped in addition to a message may come from anywhere; what was piped alone is the message. */
  given: { text: string; labels?: string[]; ownWords?: string };
  sessionKey: string;
  canDraw: boolean;
  isJson: boolean;
  hintLength: number;
}

export interface OnceSurface {
  show(body: LiveBody): void;
  /** Absent where nobody can be asked. */
  ask?(question: Question, signal: AbortSignal): Promise<Answer>;
}

const longestWrite = 64 * 1024;

/** Resolves with the exit code. */
export async function answerOnce(
  { terminal, hintLength, isJson, canDraw }: Asked,
  answer: (surface: OnceSurface) => Promise<TurnOutcome>,
): Promise<number> {
  const isStreaming = terminal.stdout.isTTY === true && !isJson;
  const view = await createAnswerView(terminal, { hintLength, isStreaming, canDraw });
  const outcome = await answer({
    show: (body) => view.show(body),
    ...(terminal.isInteractive && {
      ask: (request, signal) => askOnce(request, { terminal, view, signal }),
    }),
  }).finally(() => view.end());
  if (isJson) await writeAll(terminal.stdout, describeOutcome(outcome, terminal.words));
  else if (!isStreaming) await writeAll(terminal.stdout, outcome.text);
  else if (outcome.kind === "command") view.whole(outcome.text);
  view.end();
  if (!isJson) explainEnd(outcome, terminal);
  tellLasting(outcome, terminal);
  return toExitCode(outcome.stop);
}

/** As fast as it is taken: of all that waits, a stream makes a copy of three bytes for each character. */
async function writeAll(stdout: Terminal["stdout"], text: string): Promise<void> {
  for (const piece of cutPieces(text, longestWrite)) if (!stdout.write(piece)) await untilTaken(stdout);
  if (text !== "" && !text.endsWith("\n")) stdout.write("\n");
}

/** A reader that has gone away takes nothing more. */
function untilTaken(stdout: Terminal["stdout"]): Promise<void> {
  if (stdout.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      for (const event of events) stdout.off(event, go);
      resolve();
    };
    const events = ["drain", "error", "close"];
    for (const event of events) stdout.on(event, go);
  });
}

/** Why there is no answer, or not a whole one. */
function explainEnd({ stop, error }: TurnOutcome, { stderr, words, sideStyle }: Terminal): void {
  if (error !== undefined) stderr.write(`${sideStyle.bad(neutralise(describeFailure(error, words)))}\n`);
  else if (stop === "cancelled") stderr.write(`${sideStyle.quiet(words.failure.interrupted)}\n`);
}

/** A change of what later conversations begin with is never silent; standard output holds the answer alone. */
function tellLasting({ lasting = [] }: TurnOutcome, { stderr, words, sideStyle }: Terminal): void {
  const cards = toLastingCards(lasting, words).map(({ title, diff }) => `${title}\n${diff.trimEnd()}\n`);
  if (cards.length > 0)
    stderr.write(sideStyle.quiet(`${neutralise(cards.join(""))}${words.reply.undoChanged}\n`));
}

/** The value that `--json` prints. */
export interface AgentReport {
  text: string;
  tools: Array<{ name: string; ok: boolean; ms: number }>;
  usage: { input: number; cached: number; output: number };
  stop: TurnStop;
  session: string;
  error?: string;
}

function describeOutcome(outcome: TurnOutcome, words: Words): string {
  const { text, tools, usage, stop, sessionKey, error } = outcome;
  return toJson({
    text,
    tools: tools.map(({ name, ok, ms }) => ({ name, ok, ms: Math.round(ms) })),
    usage: { input: usage.input, cached: usage.cached, output: usage.output },
    stop,
    session: sessionKey,
    ...(error && { error: say(error.phrase, words) }),
  });
}

/** Why there is no answer, in the reader's language. */
export function describeFailure({ phrase }: NonNullable<TurnOutcome["error"]>, words: Words): string {
  return words.failure.turnFailed(say(phrase, words));
}

/** The same value where no turn took place. */
export function describeFailedAnswer(failure: {
  sentence: string;
  session?: string;
  stop: TurnStop;
}): string {
  const { sentence, session = defaultSession, stop } = failure;
  const usage = { input: 0, cached: 0, output: 0 };
  return toJson({ text: "", tools: [], usage, stop, session, error: sentence });
}

export function toExitCode(stop: TurnStop): number {
  if (stop === "completed") return 0;
  return stop === "cancelled" ? 130 : 1;
}

function toJson(report: AgentReport): string {
  return `${JSON.stringify(report)}\n`;
}

export interface AnswerView {
  show(body: LiveBody): void;
  /** A text that was not shown while it was written. */
  whole(text: string): void;
  /** A line that is not part of the answer. */
  line(text: string): void;
  /** Other output needs the last line of the terminal until the next event. */
  pause(): void;
  end(): void;
}

export interface AnswerViewOptions {
  hintLength: number;
  /** The answer is shown as it is written. */
  isStreaming: boolean;
  canDraw: boolean;
}

async function createAnswerView(terminal: Terminal, options: AnswerViewOptions): Promise<AnswerView> {
  const { stdout, stderr, words, sideStyle: style } = terminal;
  const look = { words, style, hintLength: options.hintLength };
  const { isStreaming: streamsAnswers, canDraw } = options;
  if (!canDraw || !streamsAnswers) return new PlainView({ ...look, stdout, stderr, streamsAnswers });
  const library = await loadTuiLibrary();
  const region = new LiveRegion(stdout, library);
  const redraw = (lines: string[] = []) => region.draw({ lines: view.render(region.columns) }, lines);
  const view = new TurnView({
    ...look,
    markdown: createMarkdown(library, style),
    clock: systemClock,
    columns: () => region.columns,
    print: redraw,
    hint: words.chat.ctrlCStops,
  });
  let isPaused = false;
  const spinning = setInterval(() => {
    if (view.isBusy && !isPaused) redraw();
  }, frameMs);
  view.isBusy = true;
  return {
    show(body) {
      isPaused = false;
      view.show(body);
      redraw();
    },
    whole: (text) => view.whole(text),
    line: (text) => view.line(text),
    pause() {
      isPaused = true;
      region.clear();
    },
    end() {
      clearInterval(spinning);
      view.show({ type: "turn-end", stop: "" });
      region.clear();
    },
  };
}
