// The two streams of a terminal as one place to draw on: answers on stdout, everything else on stderr, a spinner that
// makes way for both, and a pause while a person types. Knows nothing of turns.
import type { Clock } from "../../lib/clock.ts";
import { fitWidth } from "./text-width.ts";

export interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface ScreenOptions {
  stdout: OutputStream;
  stderr: OutputStream;
  clock: Clock;
  /** Said beside the spinner. */
  spinnerHint: string;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 120;
const clearLine = "\r\u001b[K";

export class Screen {
  /** A person has the last line: no spinner on it. */
  isLineTaken = false;
  readonly #options: ScreenOptions;
  #isMidLine = false;
  #held: Array<() => void> | undefined;
  #busy: { label: string; since: number; timer: NodeJS.Timeout } | undefined;
  #isSpinnerDrawn = false;
  #frame = 0;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  get columns(): number {
    return this.#options.stdout.columns ?? this.#options.stderr.columns ?? 80;
  }

  /** A piece of an answer; the next one goes on where it ends. */
  answer(text: string): void {
    if (text === "") return;
    this.#draw(() => {
      this.#options.stdout.write(text);
      this.#isMidLine = !text.endsWith("\n");
    });
  }

  /** Whatever comes next begins on a line of its own. */
  freshLine(): void {
    this.#draw(() => this.#endLine());
  }

  /** A line that is not part of an answer. */
  line(text: string): void {
    this.#draw(() => {
      this.#leaveLine();
      this.#options.stderr.write(`${text}\n`);
    });
  }

  /** Shows that something is being waited for; the time counts from the first call. */
  busy(label: string): void {
    if (!this.#options.stderr.isTTY) return;
    if (this.#busy !== undefined) {
      this.#busy.label = label;
      return;
    }
    const timer = setInterval(() => this.#drawSpinner(), frameMs);
    timer.unref();
    this.#busy = { label, since: this.#options.clock.elapsed(), timer };
    this.#drawSpinner();
  }

  idle(): void {
    clearInterval(this.#busy?.timer);
    this.#busy = undefined;
    this.#clearSpinner();
  }

  /** From now on nothing is drawn, until `release`: a person is typing on the last line. */
  hold(): void {
    if (this.#held !== undefined) return;
    this.#clearSpinner();
    this.#leaveLine();
    this.#held = [];
  }

  /** Draws what was held back. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const draw of held) draw();
  }

  #draw(draw: () => void): void {
    if (this.#held !== undefined) {
      this.#held.push(draw);
      return;
    }
    this.#clearSpinner();
    draw();
  }

  /** The cursor is needed elsewhere. An answer that goes into a file has no cursor, and is left alone. */
  #leaveLine(): void {
    if (this.#options.stdout.isTTY) this.#endLine();
  }

  #endLine(): void {
    if (this.#isMidLine) this.#options.stdout.write("\n");
    this.#isMidLine = false;
  }

  #drawSpinner(): void {
    if (this.#busy === undefined || this.#held !== undefined) return;
    const { stdout, stderr, clock, spinnerHint } = this.#options;
    if (this.isLineTaken || (stdout.isTTY && this.#isMidLine)) return;
    const seconds = Math.floor((clock.elapsed() - this.#busy.since) / 1000);
    const text = `${frames[this.#frame % frames.length]} ${this.#busy.label} ${seconds}s · ${spinnerHint}`;
    this.#frame += 1;
    // One column less: a full line would make some terminals scroll.
    stderr.write(`\r${fitWidth(text, (stderr.columns ?? 80) - 1)}\u001b[K`);
    this.#isSpinnerDrawn = true;
  }

  #clearSpinner(): void {
    if (this.#isSpinnerDrawn) this.#options.stderr.write(clearLine);
    this.#isSpinnerDrawn = false;
  }
}
