// Draws what happens in a turn: the answer as it is written, one line per tool call, notices and questions.

import { toolHint } from "../../app/tool-hint.ts";
import type { AskRequest } from "../../bus/ask.ts";
import type { LiveBody, Notice } from "../../bus/live.ts";
import { toOneLine } from "../../lib/text.ts";
import { neutralise, reveal, revealLine } from "../../lib/visible-text.ts";
import { describeNotes, describeTitle } from "../../words/describe-ask.ts";
import { retell } from "../../words/retell.ts";
import type { Words } from "../../words/words.ts";
import { formatDuration } from "./figures.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";
import { fitWidth } from "./text-width.ts";

/** Gets an answer in chunks and gives back what can be shown of it. */
export interface AnswerWriter {
  write(chunk: string): string;
  end(): string;
}

/** For files and pipes: an answer as it is. */
export const rawAnswers: AnswerWriter = { write: (chunk) => chunk, end: () => "" };

export interface TurnViewOptions {
  screen: Screen;
  words: Words;
  /** What an answer becomes on its way to stdout. */
  answers: AnswerWriter;
  /** Answers are drawn as they are written; otherwise only whole ones are, by `showWhole`. */
  streamsAnswers: boolean;
  /** How everything else looks. */
  style: Style;
  showsTools: boolean;
  hintLength: number;
}

interface ToolLine {
  hint: string;
  isError: boolean;
  ms: number;
  content: string;
  count: number;
}

const longestReason = 80;
/** A person decides on what is shown, so hardly anything may be left out. */
const mostDetailLines = 1000;

export class TurnView {
  readonly #options: TurnViewOptions;
  readonly #running = new Map<string, string>();
  /** The last finished call, held back for a moment: the same one again makes it `× 2`. */
  #lastTool: ToolLine | undefined;

  constructor(options: TurnViewOptions) {
    this.#options = options;
  }

  show(body: LiveBody): void {
    if (!body.type.startsWith("tool-")) this.#drawTool();
    switch (body.type) {
      case "text-delta":
      case "text-reset":
      case "text-end":
        this.#showText(body);
        break;
      case "tool-start":
      case "tool-progress":
      case "tool-end":
        this.#showTool(body);
        break;
      case "turn-start":
      case "step-start":
        this.#options.screen.busy(this.#options.words.chat.thinking);
        break;
      case "notice":
        this.#showNotice(body.notice);
        break;
      case "ask-start":
        this.#options.screen.idle();
        break;
      case "ask-end":
        this.#showAnswerGiven(body.isAllowed);
        break;
      case "turn-end":
        this.#endText();
        this.#options.screen.idle();
    }
  }

  /** An answer that was not drawn as it was written. */
  showWhole(text: string): void {
    if (text === "") return;
    const { screen, answers } = this.#options;
    screen.freshLine();
    screen.answer(answers.write(text) + answers.end());
    screen.freshLine();
  }

  #showText(body: LiveBody & { type: "text-delta" | "text-reset" | "text-end" }): void {
    const { screen, style, words, answers, streamsAnswers } = this.#options;
    if (body.type === "text-delta") {
      if (streamsAnswers) screen.answer(answers.write(body.text));
      return;
    }
    this.#endText();
    if (body.type === "text-reset") screen.line(style.warning(words.chat.startedAnew));
  }

  #endText(): void {
    this.#options.screen.answer(this.#options.answers.end());
    this.#options.screen.freshLine();
  }

  #showNotice(notice: Notice): void {
    const { screen, style, words } = this.#options;
    screen.line(style.warning(neutralise(describeNotice(notice, words))));
  }

  #showAnswerGiven(isAllowed: boolean): void {
    const { screen, style, words } = this.#options;
    screen.line(style.quiet(isAllowed ? words.approval.allowed : words.approval.refused));
    this.#showRunning();
  }

  #showTool(body: LiveBody & { type: "tool-start" | "tool-progress" | "tool-end" }): void {
    if (body.type === "tool-end") this.#endTool(body);
    else if (body.type === "tool-start") {
      const hint = toolHint(body.name, body.arguments, this.#options.hintLength);
      if (hint !== this.#lastTool?.hint) this.#drawTool();
      this.#running.set(body.callId, hint);
      this.#showRunning();
    } else {
      const progress = revealLine(toOneLine(body.text, longestReason));
      this.#options.screen.busy(`${this.#running.get(body.callId) ?? body.callId} ${progress}`);
    }
  }

  #showRunning(): void {
    const { screen, words } = this.#options;
    const hints = [...this.#running.values()];
    const others = hints.length > 1 ? ` (+${hints.length - 1})` : "";
    screen.busy(`${hints.at(-1) ?? words.chat.thinking}${others}`);
  }

  #endTool({ callId, name, isError, ms, content }: LiveBody & { type: "tool-end" }): void {
    const hint = this.#running.get(callId) ?? toolHint(name, {}, this.#options.hintLength);
    this.#running.delete(callId);
    this.#showRunning();
    if (this.#lastTool?.hint === hint && this.#lastTool.isError === isError) {
      this.#lastTool.count += 1;
      this.#lastTool.ms += ms;
      return;
    }
    this.#drawTool();
    this.#lastTool = { hint, isError, ms, content, count: 1 };
  }

  #drawTool(): void {
    const tool = this.#lastTool;
    this.#lastTool = undefined;
    if (tool === undefined || !this.#options.showsTools) return;
    const { screen, style, words } = this.#options;
    const times = tool.count > 1 ? ` × ${tool.count}` : "";
    const reason = tool.isError
      ? ` · ${words.chat.failed}: ${revealLine(toOneLine(tool.content, longestReason))}`
      : "";
    const text = fitWidth(`${tool.hint}${times} · ${formatDuration(tool.ms)}${reason}`, screen.columns - 5);
    screen.line(`  ${tool.isError ? style.bad("✗") : style.good("✓")} ${style.quiet(text)}`);
  }
}

/** The lines of a question for approval; everything that could disguise the command is made visible. */
export function describeQuestion(request: AskRequest, words: Words, style: Style): string[] {
  const indented = reveal(request.detail.replaceAll("\r\n", "\n").trimEnd()).split("\n");
  const hidden = indented.length - mostDetailLines;
  const shown =
    hidden > 0
      ? [...indented.slice(0, mostDetailLines), style.bad(words.approval.notShown(hidden))]
      : indented;
  return [
    style.warning(describeTitle(request, words)),
    ...shown.map((line) => `    ${line}`),
    ...describeNotes(request, words).map((line) => style.quiet(line)),
  ];
}

function describeNotice(notice: Notice, words: Words): string {
  const reason = retell(notice.reason, words);
  switch (notice.kind) {
    case "retry":
      return words.chat.retry(reason, Math.max(1, Math.round(notice.waitMs / 1000)), notice.attempt);
    case "fallback":
      return words.chat.fallback(notice.from, notice.to, reason);
    case "images-dropped":
      return words.chat.imagesDropped(reason);
    case "budget":
      return reason;
  }
}
