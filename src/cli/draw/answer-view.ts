// Where one answer is shown: drawn for a person at a terminal, or as plain lines.
import type { LiveBody } from "../../bus/live.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Terminal } from "../terminal.ts";
import { LiveRegion } from "./live-region.ts";
import { createMarkdown } from "./markdown.ts";
import { PlainView } from "./plain-view.ts";
import { loadTuiLibrary } from "./tui-library.ts";
import { frameMs, TurnView } from "./turn-view.ts";

export interface AnswerView {
  show(body: LiveBody): void;
  /** A text that was not shown while it was written. */
  whole(text: string): void;
  /** A line that is not part of the answer. */
  line(text: string): void;
  /** Somebody else needs the last line of the terminal until the next event. */
  pause(): void;
  end(): void;
}

export interface AnswerViewOptions {
  hintLength: number;
  /** The answer is shown as it is written. */
  isStreaming: boolean;
  canDraw: boolean;
}

export async function createAnswerView(terminal: Terminal, options: AnswerViewOptions): Promise<AnswerView> {
  const { stdout, stderr, words, sideStyle: style } = terminal;
  const look = { words, style, hintLength: options.hintLength };
  const { isStreaming: streamsAnswers, canDraw } = options;
  if (!canDraw || !streamsAnswers) return new PlainView({ ...look, stdout, stderr, streamsAnswers });
  const library = await loadTuiLibrary();
  const region = new LiveRegion(stdout, library);
  const redraw = (lines: string[] = []) => region.draw({ lines: view.render(region.columns) }, lines);
  const view = new TurnView({
    ...look,
    markdown: createMarkdown(library, style),
    clock: systemClock,
    columns: () => region.columns,
    print: redraw,
    hint: words.chat.ctrlCStops,
  });
  let isPaused = false;
  const spinning = setInterval(() => {
    if (view.isBusy && !isPaused) redraw();
  }, frameMs);
  view.isBusy = true;
  return {
    show(body) {
      isPaused = false;
      view.show(body);
      redraw();
    },
    whole: (text) => view.whole(text),
    line: (text) => view.line(text),
    pause() {
      isPaused = true;
      region.clear();
    },
    end() {
      clearInterval(spinning);
      view.show({ type: "turn-end", stop: "" });
      region.clear();
    },
  };
}
