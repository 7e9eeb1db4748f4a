// One question and its answer: drawn, printed, or as one JSON value.
import type { TurnOutcome } from "../agent/job.ts";
import type { App } from "../app/build-app.ts";
import { neutralise } from "../lib/visible-text.ts";
import type { GivenText } from "./agent-command.ts";
import { describeFailure, describeOutcome, toExitCode } from "./agent-report.ts";
import { askOnce } from "./ask-once.ts";
import { createAnswerView } from "./draw/answer-view.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export interface OneShot extends CommandContext {
  app: App;
  given: GivenText;
  media: string[];
  sessionKey: string;
  canDraw: boolean;
  isJson: boolean;
}

export async function answerOnce(oneShot: OneShot): Promise<number> {
  const { app, terminal, given, media, sessionKey, signal, isJson, canDraw } = oneShot;
  const isStreaming = terminal.stdout.isTTY === true && !isJson;
  const hintLength = app.loaded.config.agents.defaults.toolHintMaxLength;
  const view = await createAnswerView(terminal, { hintLength, isStreaming, canDraw });
  const outcome = await app.loop.processDirect({
    ...given,
    sessionKey,
    media,
    signal,
    onEvent: (body) => view.show(body),
    ...(terminal.isInteractive && {
      ask: (request, stop) => askOnce(request, { terminal, view, signal: stop }),
    }),
  });
  if (isJson) terminal.stdout.write(describeOutcome(outcome));
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
