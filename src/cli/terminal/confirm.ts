// Questions that a command asks on stderr and that a line on stdin answers: a yes before a change, or what a tool asks in a
// one-shot run.
import { createInterface } from "node:readline/promises";
import {
  type Answer,
  askLimitMs,
  noChoice,
  type Question,
  toChosen,
  unanswered,
  yesOrNo,
} from "../../bus/ask.ts";
import { describeChoices, readAnswer } from "../../i18n/describe-ask.ts";
import { say } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import type { AnswerView } from "../agent/answer-once.ts";
import { describeQuestion } from "../draw/event-lines.ts";
import { CommandFailure } from "./failure.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

/** Everything but a clear yes is a no. Where nobody can be asked, `--yes` (`isAnswered`) is required. */
export async function confirm(
  { text, isAnswered }: { text: string; isAnswered: boolean },
  { terminal, signal }: CommandContext,
): Promise<boolean> {
  if (isAnswered) return true;
  const { words, sideStyle } = terminal;
  if (!terminal.isInteractive) throw new CommandFailure(words.skills.needsYes, 2);
  const choices = { choices: yesOrNo };
  const prompt = sideStyle.warning(`${text} ${describeChoices(choices, words)} `);
  return readAnswer(choices, await readLine(prompt, terminal, signal)) === "yes";
}

/** A typed text that is no choice means no, and is what the model reads. */
export async function askOnce(
  question: Question,
  { terminal, view, signal }: { terminal: Terminal; view: AnswerView; signal: AbortSignal },
): Promise<Answer> {
  const { words, sideStyle } = terminal;
  for (const line of describeQuestion(question, words, sideStyle)) view.line(line);
  view.pause();
  const settled = new AbortController();
  const late = systemClock.sleep(askLimitMs, settled.signal).then(
    () => undefined,
    () => undefined,
  );
  const prompt = sideStyle.warning(`${describeChoices(question, words)} `);
  const reading = readLine(prompt, terminal, AbortSignal.any([signal, settled.signal]));
  try {
    const typed = await Promise.race([reading, late]);
    const answer = typed === undefined ? unanswered : toAnswer(question, typed);
    view.line(sideStyle.quiet(say(toChosen(question, answer), words)));
    return answer;
  } finally {
    reading.catch(() => {});
    settled.abort();
  }
}

/** "" at the end of the input. */
async function readLine(prompt: string, { stdin, stderr }: Terminal, signal: AbortSignal): Promise<string> {
  // Not in raw mode: Ctrl-C stays a signal.
  const readline = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<string>((resolve) => readline.once("close", () => resolve("")));
  try {
    return await Promise.race([readline.question(prompt, { signal }), ended]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    readline.close();
  }
}

function toAnswer(question: Question, typed: string): Answer {
  const text = typed.trim();
  const choice = text === "" ? noChoice : readAnswer(question, text);
  return choice === undefined ? { choice: noChoice, text } : { choice };
}
