// A turn as plain lines, for files, pipes and terminals that can do no more: the answer on stdout as it was written,
// everything else on stderr.
import type { LiveBody } from "../../bus/live.ts";
import { say } from "../../i18n/words.ts";
import { cutPieces } from "../../lib/text.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { AnswerView } from "../agent/answer-once.ts";
import {
  type CardLook,
  describeCard,
  describeNotice,
  describeQuestion,
  type ToolCard,
} from "./event-lines.ts";
import { wrapWords } from "./text-width.ts";

type OutputStream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

export interface PlainViewOptions extends CardLook {
  stdout: OutputStream;
  stderr: OutputStream;
  /** Answers are written as they come; otherwise only whole ones are. */
  streamsAnswers: boolean;
}

/** A stream copies what it is given. */
const longestWrite = 64 * 1024;

export class PlainView implements AnswerView {
  isBusy = false;
  activity = "";
  readonly #options: PlainViewOptions;
  readonly #running = new Map<string, Pick<ToolCard, "name" | "arguments">>();
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
        this.#endLine();
        break;
      case "turn-end":
        this.#endLine();
        this.#stopCalls();
        break;
      case "text-reset":
        this.line(style.warning(words.chat.startedAgain));
        break;
      case "tool-start":
        this.#running.set(body.callId, body);
        break;
      case "tool-end":
        this.#showCall(body);
        break;
      case "notice":
        this.line(style.warning(describeNotice(body.notice, words)));
        break;
      case "ask-start":
        for (const line of describeQuestion(body.question, words, style)) this.line(line);
        break;
      case "ask-end":
        this.line(style.quiet(say(body.chosen, words)));
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
    const lines = stderr.isTTY ? wrapWords(text, (stderr.columns ?? 80) - 1) : [text];
    stderr.write(`${lines.join("\n")}\n`);
  }

  /** What was typed here is there already. */
  echo(text: string, note = ""): void {
    if (note !== "") this.line(`> ${neutralise(text)} (${note})`);
  }

  pause(): void {}

  end(): void {
    this.#endLine();
  }

  #showCall({ callId, ...call }: LiveBody & { type: "tool-end" }): void {
    this.#showCard({ ...call, arguments: this.#running.get(callId)?.arguments ?? {}, count: 1 });
    this.#running.delete(callId);
  }

  #stopCalls(): void {
    for (const { name, arguments: args } of this.#running.values())
      this.#showCard({
        name,
        arguments: args,
        isError: false,
        ms: 0,
        content: "",
        count: 1,
        isStopped: true,
      });
    this.#running.clear();
  }

  #showCard(card: ToolCard): void {
    const { stderr } = this.#options;
    if (stderr.isTTY)
      for (const line of describeCard(card, this.#options, stderr.columns ?? 80)) this.line(line);
  }

  #write(text: string): void {
    const { stdout } = this.#options;
    for (const piece of cutPieces(text, longestWrite)) stdout.write(stdout.isTTY ? neutralise(piece) : piece);
    this.#isMidLine = !text.endsWith("\n");
  }

  #endLine(): void {
    if (this.#isMidLine) this.#options.stdout.write("\n");
    this.#isMidLine = false;
  }
}
