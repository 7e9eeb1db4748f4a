// Where a turn is drawn in this process's terminal: made once for a chat or for one question.
import { systemClock } from "../lib/clock.ts";
import { MarkdownStream } from "./draw/markdown.ts";
import { Screen } from "./draw/screen.ts";
import { rawAnswers, TurnView } from "./draw/turn-view.ts";
import type { Terminal } from "./terminal.ts";

export function createScreen({ stdout, stderr, words }: Terminal): Screen {
  return new Screen({ stdout, stderr, clock: systemClock, spinnerHint: words.chat.ctrlCStops });
}

export interface ViewOptions {
  screen: Screen;
  hintLength: number;
  streamsAnswers: boolean;
}

export function createView(terminal: Terminal, options: ViewOptions): TurnView {
  const { stdout, stderr, style, sideStyle, words } = terminal;
  const markdown = { style, columns: () => options.screen.columns };
  return new TurnView({
    ...options,
    words,
    answers: stdout.isTTY ? new MarkdownStream(markdown) : rawAnswers,
    style: sideStyle,
    showsTools: stderr.isTTY === true,
  });
}
