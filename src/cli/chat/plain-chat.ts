// The chat as plain lines: where there is no terminal to draw on, or where the user wants plain lines.

import { createInterface } from "node:readline";
import type { Question } from "../../bus/ask.ts";
import { describeChoices } from "../../i18n/describe-ask.ts";
import { onAbort } from "../../lib/abort.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { Conversation, type ConversationOptions, isFarewell } from "./conversation.ts";
import type { Farewell } from "./tui-chat.ts";

export interface PlainChatOptions extends Omit<ConversationOptions, "redraw" | "onAsk"> {
  terminal: Terminal;
  sessionKey: string;
  onTyped(text: string): void;
}

/** An odd number of backslashes at the end. */
const continues = /(?:^|[^\\])(?:\\\\)*\\$/;

/** Resolves when the person has left, or the input is over. */
export async function runPlainChat(options: PlainChatOptions, signal: AbortSignal): Promise<Farewell> {
  const { terminal, style, words } = options;
  const { stdin, stderr } = terminal;
  const left = Promise.withResolvers<Farewell>();
  let ask: Question | undefined;
  let earlier = "";
  let isPrompted = false;
  const prompt = () => {
    if (isPrompted || (ask === undefined && conversation.isBusy)) return;
    isPrompted = true;
    stderr.write(ask === undefined ? style.prompt("> ") : style.warning(`${describeChoices(ask, words)} `));
  };
  // After what else belongs to the same event.
  const redraw = () => void setImmediate(prompt);
  const conversation = new Conversation({
    ...options,
    redraw,
    onAsk(question) {
      ask = question;
      isPrompted = false;
      redraw();
    },
  });

  function take(line: string): void {
    isPrompted = false;
    if (ask !== undefined && !isFarewell(line.trim())) void conversation.answer(line);
    else if (continues.test(line)) {
      earlier += `${line.slice(0, -1)}\n`;
      stderr.write("… ");
    } else {
      const message = (earlier + line).trim();
      earlier = "";
      if (isFarewell(message)) left.resolve("left");
      else if (message === "") redraw();
      else {
        options.onTyped(message);
        void conversation.say(message);
      }
    }
  }

  const forget = onAbort(signal, () => left.resolve("interrupted"));
  await conversation.open(options.sessionKey);
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on("line", take).on("close", () => left.resolve("left"));
  const farewell = await left.promise;
  forget();
  lines.close();
  return farewell;
}
