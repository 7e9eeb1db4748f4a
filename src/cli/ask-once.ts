// A question for approval in a one-shot run: on stderr, answered by a line on stdin.
import { createInterface } from "node:readline/promises";
import type { Answer, AskRequest } from "../bus/ask.ts";
import { readApprovalAnswer } from "../words/words.ts";
import type { Screen } from "./draw/screen.ts";
import { describeChoices, describeQuestion } from "./draw/turn-view.ts";
import type { Terminal } from "./terminal.ts";

/** Everything but a clear yes is a no. */
export async function askOnce(
  request: AskRequest,
  { terminal, screen, signal }: { terminal: Terminal; screen: Screen; signal: AbortSignal },
): Promise<Answer> {
  const { words, sideStyle, stdin, stderr } = terminal;
  screen.idle();
  for (const line of describeQuestion(request, words, sideStyle)) screen.line(line);
  // Not in raw mode: Ctrl-C stays a signal.
  const readline = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<string>((resolve) => readline.once("close", () => resolve("")));
  try {
    const prompt = sideStyle.warning(`${describeChoices(request, words)} `);
    const typed = await Promise.race([readline.question(prompt, { signal }), ended]);
    const answer = readApprovalAnswer(typed);
    const isAllowed = answer === "once" || answer === "session";
    const scope = answer === "session" && request.subject !== undefined ? "session" : "once";
    screen.line(sideStyle.quiet(isAllowed ? words.approval.allowed : words.approval.refused));
    return isAllowed ? { isAllowed, scope } : { isAllowed, scope, reason: words.approval.refusedByOwner };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    readline.close();
  }
}
