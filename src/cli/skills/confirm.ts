// A question that a command asks before it changes something: on stderr, answered by a line on stdin.
import { createInterface } from "node:readline/promises";
import { yesOrNo } from "../../bus/ask.ts";
import { describeChoices, readAnswer } from "../../i18n/describe-ask.ts";
import { CommandFailure } from "../command-failure.ts";
import type { CommandContext } from "../terminal.ts";

export interface Question {
  text: string;
  /** `--yes` */
  isAnswered: boolean;
}

/** Everything but a clear yes is a no. Where nobody can be asked, `--yes` has to be given. */
export async function confirm(
  { text, isAnswered }: Question,
  { terminal, signal }: CommandContext,
): Promise<boolean> {
  if (isAnswered) return true;
  const { words, sideStyle, stdin, stderr } = terminal;
  if (!terminal.isInteractive) throw new CommandFailure(words.skills.needsYes, 2);
  const readline = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<string>((resolve) => readline.once("close", () => resolve("")));
  try {
    const choices = { choices: yesOrNo };
    const prompt = sideStyle.warning(`${text} ${describeChoices(choices, words)} `);
    const typed = await Promise.race([readline.question(prompt, { signal }), ended]);
    return readAnswer(choices, typed) === "yes";
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    readline.close();
  }
}
