// A turn as plain lines, for files, pipes and terminals that can do no more: the answer on stdout as it was written,
// everything else on stderr.
import type { LiveBody } from "../../bus/live.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { AnswerView } from "./answer-view.ts";
import { describeNotice } from "./describe-notice.ts";
import { describeQuestion } from "./question.ts";
import { type CardLook, describeCard } from "./tool-card.ts";

type OutputStream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

export interface PlainViewOptions extends CardLook {
  stdout: OutputStream;
  stderr: OutputStream;
  /** Answers are written as they come; otherwise only whole ones are. */
  streamsAnswers: boolean;
}

export class PlainView implements AnswerView {
  isBusy = false;
  readonly #options: PlainViewOptions;
  readonly #arguments = new Map<string, Record<string, unknown>>();
  #isMidLine = false;

  constructor(options: PlainViewOptions) {
    this.#options = options;
  }

  show(body: LiveBody): void {
    const { words, style, streamsAnswers } = this.#options;
    switch (body.type) {
      case "text-delta":
        if (streamsAnswers) this.#write(body.text);
        break;
      case "text-end":
      case "turn-end":
        this.#endLine();
        break;
      case "text-reset":
        this.line(style.warning(words.chat.startedAnew));
        break;
      case "tool-start":
        this.#arguments.set(body.callId, body.arguments);
        break;
      case "tool-end":
        this.#showCall(body);
        break;
      case "notice":
        this.line(style.warning(describeNotice(body.notice, words)));
        break;
      case "ask-start":
        for (const line of describeQuestion(body.request, words, style)) this.line(line);
        break;
      case "ask-end":
        this.line(style.quiet(body.isAllowed ? words.approval.allowed : words.approval.refused));
    }
  }

  whole(text: string): void {
    if (text === "") return;
    this.#endLine();
    this.#write(text);
    this.#endLine();
  }

  /** A line that is not part of an answer. An answer that goes into a file is left alone. */
  line(text: string): void {
    const { stdout, stderr } = this.#options;
    if (stdout.isTTY) this.#endLine();
    stderr.write(`${text}\n`);
  }

  /** What was typed here stands there already. */
  echo(text: string, note = ""): void {
    if (note !== "") this.line(`> ${neutralise(text)} (${note})`);
  }

  pause(): void {}

  end(): void {
    this.#endLine();
  }

  #showCall({ callId, ...call }: LiveBody & { type: "tool-end" }): void {
    const { stderr } = this.#options;
    const card = { ...call, arguments: this.#arguments.get(callId) ?? {}, count: 1 };
    this.#arguments.delete(callId);
    if (stderr.isTTY)
      for (const line of describeCard(card, this.#options, stderr.columns ?? 80)) this.line(line);
  }

  #write(text: string): void {
    const { stdout } = this.#options;
    stdout.write(stdout.isTTY ? neutralise(text) : text);
    this.#isMidLine = !text.endsWith("\n");
  }

  #endLine(): void {
    if (this.#isMidLine) this.#options.stdout.write("\n");
    this.#isMidLine = false;
  }
}
