// What the runner says to the model when a turn does not end on its own. Stored like any other message.
import { takeTail } from "../lib/text.ts";

export const finalAnswerPrompt =
  "Your last replies were empty. Answer the user now, in plain text, from what is above. Call no tools.";

export const malformedCallPrompt =
  "Your last reply announced a tool call without a usable tool name, so nothing was run. Call a tool by its exact name, or answer in text.";

export const cutShortPrompt =
  "Your last reply hit the output limit before it said anything. Take a smaller step: a shorter answer, or a call with smaller arguments.";

export function continuePrompt(text: string): string {
  return `Your reply hit the output limit. Go on exactly where it stops, without repeating anything and without a remark about it. It ends with:\n<already_delivered_tail>${takeTail(text, 64)}</already_delivered_tail>`;
}

export function outOfStepsPrompt(maxSteps: number): string {
  return `This turn has used its ${maxSteps} steps. Call no more tools. Tell the user what was done, what remains, and the next step.`;
}

export const repeatedCallNote =
  "Not run: you have made this very call before with the same result, and nothing has changed since. Use the result you have, try something else, or tell the user what is in the way.";

export const interruptedNote =
  "Interrupted: the user stopped the turn before this call finished. It may have had effects; check first.";

export const crashedNote =
  "Interrupted: the program ended before a result was stored. The call may have taken effect; check before repeating it.";

export function stoppedText(partial: string): string {
  return `${partial.trimEnd()}${partial.trim() === "" ? "" : "\n\n"}[Stopped by the user.]`;
}

export function failedText(reason: string): string {
  return `[No reply: ${reason}]`;
}

export const emptyAnswer =
  "I went through the steps but the model gave no final answer. Ask again, or narrow the task down.";

export const cutOffNote =
  '[Cut off: the output limit was reached again and again. Say "go on" for the rest.]';

export const refusedAnswer = "The model declined to answer this.";

export function outOfStepsAnswer(maxSteps: number): string {
  return `I stopped after ${maxSteps} steps without finishing. Say "go on" to continue, or split the task into smaller ones.`;
}

export function loopAnswer(name: string): string {
  return `I stopped because I was going in circles: \`${name}\` was called again and again with the same arguments and the same result. Tell me how to go on, or give me a hint.`;
}
