// A question for approval in a one-shot run: on stderr, answered by a line on stdin.
import { createInterface } from "node:readline/promises";
import { type Answer, askLimitMs, noChoice, type Question, toChosen, unanswered } from "../bus/ask.ts";
import { describeChoices, readAnswer } from "../i18n/describe-ask.ts";
import { say } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import type { AnswerView } from "./draw/answer-view.ts";
import { describeQuestion } from "./draw/question.ts";
import type { Terminal } from "./terminal.ts";

/** Whatever else is typed means no, and is what the model reads. */
export async function askOnce(
  question: Question,
  { terminal, view, signal }: { terminal: Terminal; view: AnswerView; signal: AbortSignal },
): Promise<Answer> {
  const { words, sideStyle, stdin, stderr } = terminal;
  for (const line of describeQuestion(question, words, sideStyle)) view.line(line);
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
    const prompt = sideStyle.warning(`${describeChoices(question, words)} `);
    const typed = await Promise.race([readline.question(prompt, { signal }), ended, late]);
    const answer = typed === undefined ? unanswered : toAnswer(question, typed);
    view.line(sideStyle.quiet(say(toChosen(question, answer), words)));
    return answer;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    isSettled.abort();
    readline.close();
  }
}

function toAnswer(question: Question, typed: string): Answer {
  const text = typed.trim();
  const choice = text === "" ? noChoice : readAnswer(question, text);
  return choice === undefined ? { choice: noChoice, text } : { choice };
}
