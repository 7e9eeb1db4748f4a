// The chat as plain lines: where there is no terminal to draw on, or where somebody wants none of it.
import { createInterface, type Interface } from "node:readline";
import type { AskRequest } from "../../bus/ask.ts";
import { toScope } from "../../bus/ask.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { Shown } from "../../server/protocol/chat.ts";
import { describeChoices } from "../../words/describe-ask.ts";
import { readApprovalAnswer } from "../../words/words.ts";
import type { PlainView } from "../draw/plain-view.ts";
import type { Terminal } from "../terminal.ts";
import type { ChatEvent, ChatPort } from "./chat-port.ts";
import type { Farewell } from "./tui-chat.ts";

export interface PlainChatOptions {
  port: ChatPort;
  terminal: Terminal;
  view: PlainView;
  sessionKey: string;
  onTyped(text: string): void;
}

const farewells = new Set(["exit", "quit", "/exit", "/quit", ":q"]);

/** Resolves when the person has left, or the input is over and everything is answered. */
export async function runPlainChat(options: PlainChatOptions, signal: AbortSignal): Promise<Farewell> {
  const { port, terminal, view, sessionKey } = options;
  const { words, sideStyle: style, stdin, stderr } = terminal;
  const left = Promise.withResolvers<Farewell>();
  const turns = new Set<string>();
  let ask: { askId: string; request: AskRequest } | undefined;
  let earlier = "";
  let isWaiting = false;
  const lines: Interface = createInterface({ input: stdin, terminal: false });

  function prompt(): void {
    if (ask !== undefined) stderr.write(style.warning(`${describeChoices(ask.request, words)} `));
    else if (turns.size === 0 && !isWaiting) stderr.write(style.prompt("> "));
  }

  function take(event: ChatEvent): void {
    if (event.type !== "shown") {
      view.line(style.quiet(event.type === "lost" ? words.terminal.lost : words.terminal.back));
      return;
    }
    if (event.sessionKey === sessionKey) show(event.shown);
  }

  function show(shown: Shown): void {
    if (shown.type === "live") {
      const { body, turnId } = shown;
      if (body.type === "turn-start") turns.add(turnId);
      view.show(body);
      if (body.type === "ask-start") ask = body;
      if (body.type === "ask-end") ask = undefined;
      if (body.type === "turn-end") turns.delete(turnId);
      isWaiting = false;
      if (body.type === "ask-start" || body.type === "turn-end") setImmediate(prompt);
    } else if (shown.type === "aside") {
      if (shown.kind === "notice") view.line(style.warning(neutralise(shown.text)));
      else view.whole(shown.text);
      isWaiting = false;
      prompt();
    }
  }

  async function answer(text: string): Promise<void> {
    if (ask === undefined) return;
    const { askId, request } = ask;
    const word = readApprovalAnswer(text.trim() === "" ? "no" : text);
    if (word === undefined) {
      view.line(style.warning(words.approval.notAnAnswer(describeChoices(request, words))));
      return prompt();
    }
    const scope = word === "no" ? "once" : toScope(word, request);
    await port.answer({ sessionKey, askId, isAllowed: word !== "no", scope });
  }

  async function submit(line: string): Promise<void> {
    if (ask !== undefined) return answer(line);
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) {
      earlier += `${line.slice(0, -1)}\n`;
      stderr.write("… ");
      return;
    }
    const text = (earlier + line).trim();
    earlier = "";
    if (text === "") return prompt();
    if (farewells.has(text)) return left.resolve("left");
    options.onTyped(text);
    isWaiting = true;
    await port.send({ sessionKey, text, files: [], labels: [] });
  }

  port.listen(take);
  await port.open(sessionKey);
  lines.on("line", (line) => {
    submit(line).catch((error: Error) => {
      view.line(style.bad(neutralise(error.message)));
      prompt();
    });
  });
  lines.on("close", () => left.resolve("left"));
  const stop = () => left.resolve("interrupted");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  prompt();
  const farewell = await left.promise;
  signal.removeEventListener("abort", stop);
  lines.close();
  view.end();
  return farewell;
}
