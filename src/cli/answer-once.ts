// One question and its answer: drawn, printed, or as one JSON value. Knows not who answers.
import type { TurnOutcome } from "../agent/job.ts";
import type { Answer, Question } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import { neutralise } from "../lib/visible-text.ts";
import { describeFailure, describeOutcome, toExitCode } from "./agent-report.ts";
import { askOnce } from "./ask-once.ts";
import { createAnswerView } from "./draw/answer-view.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export interface Asked extends CommandContext {
  /** What was piped beside a message may come from anywhere; what was piped alone is the message. */
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
  if (isJson) terminal.stdout.write(describeOutcome(outcome, terminal.words));
  else if (!isStreaming || outcome.kind === "command") view.whole(outcome.text);
  view.end();
  if (!isJson) explainEnd(outcome, terminal);
  return toExitCode(outcome.stop);
}

/** Why there is no answer, or not a whole one. */
function explainEnd({ stop, error }: TurnOutcome, { stderr, words, sideStyle }: Terminal): void {
  if (error !== undefined) stderr.write(`${sideStyle.bad(neutralise(describeFailure(error, words)))}\n`);
  else if (stop === "cancelled") stderr.write(`${sideStyle.quiet(words.failure.interrupted)}\n`);
}
