// What happens in a turn, for a person who watches: finished blocks of the answer and finished calls are printed for
// good, what is still under way is drawn below them. Knows no stream and no key.

import type { LiveBody } from "../../bus/live.ts";
import { say, type Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { toolHint } from "../../lib/language/tool-hint.ts";
import { takeTail, toOneLine } from "../../lib/text.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import { AnswerText, type Block } from "./answer-text.ts";
import {
  type CardLook,
  describeCard,
  describeNotice,
  describeQuestion,
  formatDuration,
  type ToolCard,
} from "./event-lines.ts";
import type { Markdown } from "./markdown.ts";
import { fitWidth, wrapWords } from "./text-width.ts";

export interface TurnViewOptions extends CardLook {
  markdown: Markdown;
  clock: Clock;
  columns(): number;
  /** Prints lines that stay. */
  print(lines: string[]): void;
  /** Text next to the spinner. */
  hint: string;
}

interface RunningCall extends Pick<ToolCard, "name" | "arguments"> {
  since: number;
  /** The latest lines. */
  progress: string[];
}

/** What was printed last: between unlike things there is an empty line. */
type Kind = "nothing" | "text" | "tool" | "line";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const frameMs = 120;
const longestProgress = 200;
const mostProgress = 6;
const mostRunning = 6;
const longestWork = 30;
const mostEchoedLines = 12;
/** Of a block that is being written: more than a screen, and drawn at each frame. */
const longestDrawn = 20_000;

export class TurnView {
  readonly #options: TurnViewOptions;
  readonly #text = new AnswerText();
  readonly #running = new Map<string, RunningCall>();
  /** The last finished call, held back for a moment: the same one again makes it `× 2`. */
  #lastCard: ToolCard | undefined;
  #last: Kind = "nothing";
  #busySince: number | undefined;
  #isWriting = false;
  /** Of the last step that had any: folded into one line when it ends. */
  #reasoning = { text: "", since: 0, isFolded: true };
  /** What runs in addition to the calls of a turn; "" for nothing. */
  activity = "";

  constructor(options: TurnViewOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#busySince !== undefined;
  }

  set isBusy(isBusy: boolean) {
    this.#busySince = isBusy ? (this.#busySince ?? this.#options.clock.elapsed()) : undefined;
  }

  show(body: LiveBody): void {
    const { words, style } = this.#options;
    if (!body.type.startsWith("tool-")) this.#printCard();
    this.#isWriting = body.type === "text-delta";
    if (body.type !== "reasoning-delta") this.#foldReasoning();
    switch (body.type) {
      case "turn-start":
      case "step-start":
        this.isBusy = true;
        break;
      case "text-delta":
        this.#printBlocks(this.#text.write(body.text));
        break;
      case "text-end":
        this.#printBlocks(this.#text.end());
        break;
      case "text-reset":
        this.#printBlocks(this.#text.end());
        this.line(style.warning(words.chat.startedAgain));
        break;
      case "reasoning-delta":
        this.#think(body.text);
        break;
      case "tool-start":
      case "tool-progress":
      case "tool-end":
        this.#showCall(body);
        break;
      case "notice":
        this.line(style.warning(describeNotice(body.notice, words)));
        break;
      case "ask-start":
        this.#print("line", [
          "",
          ...describeQuestion(body.question, words, style).flatMap((one) => this.#wrap(one)),
        ]);
        this.isBusy = false;
        break;
      case "ask-end":
        this.isBusy = true;
        this.line(style.quiet(say(body.chosen, words)));
        break;
      case "turn-end":
        this.#printBlocks(this.#text.end());
        this.#stopCalls();
        this.isBusy = false;
    }
  }

  #think(text: string): void {
    const { clock } = this.#options;
    if (this.#reasoning.isFolded) this.#reasoning = { text: "", since: clock.elapsed(), isFolded: false };
    this.#reasoning.text = takeTail(this.#reasoning.text + text, longestDrawn);
  }

  #foldReasoning(): void {
    const { clock, style, words } = this.#options;
    const { since, isFolded } = this.#reasoning;
    if (isFolded) return;
    this.#reasoning.isFolded = true;
    this.line(style.quiet(words.terminal.thought(formatDuration(clock.elapsed() - since))));
  }

  /** All of the last reasoning. */
  showReasoning(): void {
    const { style, words } = this.#options;
    const text = neutralise(this.#reasoning.text.trim());
    const lines = text === "" ? [words.terminal.noThoughts] : text.split("\n");
    for (const line of lines) this.line(style.quiet(`  ${line}`));
  }

  /** A line that is not part of an answer. */
  line(text: string): void {
    this.#print("line", this.#wrap(text));
  }

  /** A message of the user. */
  echo(text: string, note = ""): void {
    const { style, words } = this.#options;
    const lines = neutralise(text.replaceAll("\r\n", "\n")).split("\n");
    const hidden = lines.length - mostEchoedLines;
    const more = style.quiet(`… ${words.terminal.moreLines(hidden)}`);
    const shown = hidden > 1 ? [...lines.slice(0, mostEchoedLines), more] : lines;
    const wrapped = shown.flatMap((line) => this.#wrap(line, 2));
    const marked = wrapped.map((line, index) => `${index === 0 ? style.prompt("> ") : "  "}${line}`);
    this.#print("line", ["", ...marked, ...(note === "" ? [] : [style.quiet(`  (${note})`)])]);
  }

  /** A text that was not seen while it was written. */
  whole(text: string): void {
    const answer = new AnswerText();
    this.#printBlocks([...answer.write(text), ...answer.end()]);
  }

  /** What is under way, newest at the bottom. */
  render(columns: number): string[] {
    const { markdown } = this.#options;
    const { text: whole, isJoined } = this.#text.pending;
    const text = takeTail(whole, longestDrawn);
    const pending = text.trim() === "" ? [] : markdown(text, columns);
    const gap = pending.length > 0 && !isJoined ? this.#gap() : [];
    const card = this.#lastCard === undefined ? [] : this.#describe(this.#lastCard, columns);
    return [...gap, ...pending, ...card, ...this.#renderRunning(columns), ...this.#renderSpinner(columns)];
  }

  #renderRunning(columns: number): string[] {
    const { style, hintLength, clock } = this.#options;
    const calls = [...this.#running.values()].slice(-mostRunning);
    return calls.map(({ name, arguments: args, since, progress }) => {
      const elapsed = clock.elapsed() - since;
      const time = elapsed < 1000 ? "" : ` · ${formatDuration(elapsed)}`;
      const tail = progress.length === 0 ? "" : ` · ${progress.at(-1)}`;
      const text = fitWidth(`${toolHint(name, args, hintLength)}${time}${tail}`, columns - 5);
      return `  ${style.warning(this.#frame())} ${style.quiet(text)}`;
    });
  }

  #renderSpinner(columns: number): string[] {
    const { style, words, clock, hint } = this.#options;
    if (this.#busySince === undefined) return [];
    const seconds = Math.floor((clock.elapsed() - this.#busySince) / 1000);
    const text = `${this.#frame()} ${this.#describeWork(words)} ${seconds}s · ${hint}`;
    return ["", style.quiet(fitWidth(text, columns - 1))];
  }

  #describeWork({ chat }: Words): string {
    const call = [...this.#running.values()].at(-1);
    if (this.activity !== "") return chat.running(this.activity);
    if (call !== undefined) return chat.running(toolHint(call.name, call.arguments, longestWork));
    return this.#text.pending.text.trim() === "" && !this.#isWriting ? chat.thinking : chat.writing;
  }

  #frame(): string {
    return frames[Math.floor(this.#options.clock.elapsed() / frameMs) % frames.length] ?? "";
  }

  #showCall(body: LiveBody & { type: "tool-start" | "tool-progress" | "tool-end" }): void {
    const { clock } = this.#options;
    const running = this.#running.get(body.callId);
    if (body.type === "tool-start") {
      const { name, arguments: args } = body;
      this.#running.set(body.callId, { name, arguments: args, since: clock.elapsed(), progress: [] });
    } else if (body.type === "tool-end") {
      this.#running.delete(body.callId);
      const { name, isError, ms, content } = body;
      this.#hold({ name, arguments: running?.arguments ?? {}, isError, ms, content, count: 1 });
    } else if (running !== undefined) {
      const line = revealLine(toOneLine(body.text, longestProgress));
      running.progress = [...running.progress, line].slice(-mostProgress);
    }
  }

  /** What did not come to its end stays to be seen, with what it has said. */
  #stopCalls(): void {
    const { clock } = this.#options;
    for (const { name, arguments: args, since, progress } of this.#running.values()) {
      const ms = clock.elapsed() - since;
      const content = progress.join("\n");
      this.#hold({ name, arguments: args, isError: false, ms, content, count: 1, isStopped: true });
    }
    this.#running.clear();
    this.#printCard();
  }

  #hold(card: ToolCard): void {
    const hintOf = (one: ToolCard) => toolHint(one.name, one.arguments, this.#options.hintLength);
    const last = this.#lastCard;
    const isAlike = last?.isError === card.isError && last?.isStopped === card.isStopped;
    if (last !== undefined && isAlike && hintOf(last) === hintOf(card)) {
      this.#lastCard = { ...last, count: last.count + 1, ms: last.ms + card.ms };
      return;
    }
    this.#printCard();
    this.#lastCard = card;
  }

  #printCard(): void {
    const card = this.#lastCard;
    this.#lastCard = undefined;
    if (card !== undefined) this.#print("tool", this.#describe(card, this.#options.columns()));
  }

  #describe(card: ToolCard, columns: number): string[] {
    const gap = this.#last === "tool" ? [] : this.#gap();
    return [...gap, ...describeCard(card, this.#options, columns)];
  }

  #printBlocks(blocks: Block[]): void {
    const { markdown, columns } = this.#options;
    for (const { text, isJoined } of blocks)
      this.#print("text", [...(isJoined ? [] : this.#gap()), ...markdown(text, columns())]);
  }

  /** Below its own indent. */
  #wrap(line: string, taken = 0): string[] {
    const [indent = ""] = /^ */.exec(line) ?? [];
    const columns = this.#options.columns() - 1 - taken - indent.length;
    return wrapWords(line.slice(indent.length), columns).map((one) => indent + one);
  }

  #gap(): string[] {
    return this.#last === "nothing" ? [] : [""];
  }

  #print(kind: Kind, lines: string[]): void {
    this.#last = kind;
    this.#options.print(lines);
  }
}
