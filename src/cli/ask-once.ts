// A question for approval in a one-shot run: on stderr, answered by a line on stdin.
import { createInterface } from "node:readline/promises";
import { type Answer, type AskRequest, askLimitMs, toScope, unanswered } from "../bus/ask.ts";
import { describeChoices } from "../i18n/describe-ask.ts";
import { readApprovalAnswer } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import type { AnswerView } from "./draw/answer-view.ts";
import { describeQuestion } from "./draw/question.ts";
import type { Terminal } from "./terminal.ts";

/** Everything but a clear yes is a no. */
export async function askOnce(
  request: AskRequest,
  { terminal, view, signal }: { terminal: Terminal; view: AnswerView; signal: AbortSignal },
): Promise<Answer> {
  const { words, sideStyle, stdin, stderr } = terminal;
  for (const line of describeQuestion(request, words, sideStyle)) view.line(line);
  view.pause();
  // Not in raw mode: Ctrl-C stays a signal.
  const readline = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<string>((resolve) => readline.once("close", () => resolve("")));
  const isSettled = new AbortController();
  const late = systemClock.sleep(askLimitMs, isSettled.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    const prompt = sideStyle.warning(`${describeChoices(request, words)} `);
    const typed = await Promise.race([readline.question(prompt, { signal }), ended, late]);
    const word = typed === undefined ? undefined : readApprovalAnswer(typed);
    const isAllowed = word !== undefined && word !== "no";
    view.line(sideStyle.quiet(isAllowed ? words.approval.allowed : words.approval.refused));
    if (isAllowed) return { isAllowed, scope: toScope(word, request) };
    return typed === undefined
      ? unanswered
      : { isAllowed, scope: "once", reason: words.approval.refusedByOwner };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    isSettled.abort();
    readline.close();
  }
}
