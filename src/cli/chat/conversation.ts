// One conversation as the terminal shows it: what is sent, what happens, what is asked. Knows no key and no stream.

import type { Attachment, Said, Shown } from "../../api/chat/wire.ts";
import { noChoice, type Question } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import { readAnswer } from "../../i18n/describe-ask.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { toCodeBlock, toPlainLine } from "../../lib/text.ts";
import { neutralise, reveal } from "../../lib/visible-text.ts";
import type { AnswerView } from "../agent/answer-once.ts";
import type { Style } from "../draw/style.ts";
import { describeFailure } from "../terminal/failure.ts";
import { findMentionedFiles } from "../terminal/media-files.ts";
import type { ChatEvent, ChatPort, OpenedChat } from "./chat-port.ts";
import type { ChatStatus } from "./status-line.ts";

/** Where it is shown. */
export interface ChatView extends Pick<AnswerView, "show" | "line" | "whole"> {
  isBusy: boolean;
  /** What runs in addition to the calls of a turn, for the line that says so; "" for nothing. */
  activity: string;
  /** A message; the note says where it was written, if not here. */
  echo(text: string, note?: string): void;
}

export interface ConversationOptions {
  port: ChatPort;
  view: ChatView;
  words: Words;
  style: Style;
  clock: Clock;
  isSandboxed: boolean | undefined;
  folders: readonly string[];
  takeFiles(paths: string[]): Promise<string[]>;
  redraw(): void;
  /** Absent where the terminal shows no pictures. */
  showPicture?(bytes: Buffer): void;
  /** A question waits for an answer; undefined: it does no more. */
  onAsk(question: Question | undefined): void;
}

const longestTitle = 60;
const farewells = new Set(["exit", "quit", "/exit", "/quit", ":q"]);

export const isFarewell = (message: string) => farewells.has(message);

export class Conversation {
  readonly view: ChatView;
  readonly status: ChatStatus;
  /** When the last turn was over. */
  endedAt = Number.NEGATIVE_INFINITY;
  readonly #options: ConversationOptions;
  #sessionKey = "";
  /** Turns that run, with the steps of theirs that were seen to their end. */
  readonly #turns = new Set<string>();
  readonly #seenSteps = new Set<string>();
  /** Sent and not answered by anything yet. */
  #isWaiting = false;
  #ask: { askId: string; turnId: string; question: Question } | undefined;
  /** Said here: everyone gets it. */
  readonly #ownTexts: string[] = [];
  /** Output of commands that goes along with the next message. */
  #shared: Array<{ text: string; labels: string[] }> = [];
  #command: AbortController | undefined;
  /** Files are looked up before a message is sent; the next message waits for that. */
  readonly #sending = new KeyedLock();

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { port, isSandboxed, view } = options;
    this.view = view;
    this.status = { model: "", isSandboxed, isAttached: port.isAttached, isLost: false };
    port.listen((event) => this.#take(event));
  }

  get isBusy(): boolean {
    return this.#isWaiting || this.#turns.size > 0 || this.#command !== undefined;
  }

  /** Runs work that may fail for outside reasons; such a failure becomes a line in the view. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { style, words } = this.#options;
    try {
      return await work();
    } catch (error) {
      const sentence = describeFailure(error, words);
      if (sentence === undefined) throw error;
      this.#isWaiting = false;
      this.view.line(style.bad(neutralise(sentence)));
      this.#settle();
      return undefined;
    }
  }

  async open(key: string): Promise<void> {
    const { port, style, words } = this.#options;
    const isFirst = this.#sessionKey === "";
    // A text typed before the conversation is open belongs to it.
    if (isFirst) this.#sessionKey = key;
    const opened = await this.attempt(() => port.open(key));
    if (opened === undefined) return;
    this.#sessionKey = key;
    if (!isFirst) {
      this.#turns.clear();
      this.#isWaiting = false;
      this.view.line(style.bold(words.terminal.opened(toPlainLine(opened.title, longestTitle))));
      for (const { role, text } of opened.past.slice(-4))
        if (role === "user") this.view.echo(text);
        else this.view.whole(text);
    }
    this.#resume(opened);
    await this.#count();
  }

  /** A message of the owner, a slash command, or behind `!` a command to be run. */
  async say(message: string): Promise<void> {
    if (message.startsWith("!")) await this.#runCommand(message.slice(1).trim());
    else await this.#send(message);
  }

  async #send(text: string): Promise<void> {
    const { port, folders, takeFiles, words, style } = this.#options;
    const sessionKey = this.#sessionKey;
    const isCommand = text.startsWith("/");
    const shared = isCommand ? [] : this.#shared;
    if (!isCommand) this.#shared = [];
    this.view.echo(text);
    if (this.isBusy && !isCommand) this.view.line(style.quiet(words.chat.followUp));
    this.#isWaiting = true;
    this.view.isBusy = true;
    const send = async () => {
      const files = isCommand ? [] : await takeFiles(await findMentionedFiles(text, folders));
      const whole = [...shared.map((one) => one.text), text].join("\n\n");
      const labels = [...new Set(shared.flatMap((one) => one.labels))];
      this.#ownTexts.push(whole);
      await port.send({ sessionKey, text: whole, files, labels });
    };
    await this.attempt(() => this.#sending.run(sessionKey, send));
  }

  async stop(): Promise<void> {
    const { port, words, style } = this.#options;
    this.view.line(style.quiet(words.chat.stopping));
    if (this.#command !== undefined) this.#command.abort(new Error("stopped"));
    else await this.attempt(() => port.call("chat.stop", { sessionKey: this.#sessionKey }));
  }

  /** To the question that waits. Nothing at all is a no; what is none of the choices is said, which means no as well. */
  async answer(text: string): Promise<void> {
    if (this.#ask === undefined) return;
    const { askId, question } = this.#ask;
    const choice = text.trim() === "" ? noChoice : readAnswer(question, text);
    if (choice !== undefined) {
      const answer = { sessionKey: this.#sessionKey, askId, choice };
      await this.attempt(() => this.#options.port.call("chat.answer", answer));
      return;
    }
    await this.say(text.trim());
    // A command leaves it open, and asks again with its answer; what is run by hand has been shown.
    if (text.trim().startsWith("!") && this.#ask?.askId === askId) this.#options.onAsk(question);
  }

  /** What it prints is shown, and goes along with the next message as what the owner shares. */
  async #runCommand(command: string): Promise<void> {
    const { port, words, style } = this.#options;
    this.view.echo(`!${command}`);
    if (command === "" || this.#command !== undefined) return;
    const controller = new AbortController();
    this.#command = controller;
    this.view.activity = toPlainLine(command, longestTitle);
    this.view.isBusy = true;
    const { signal } = controller;
    const running = port.run({ sessionKey: this.#sessionKey, command }, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    const result = await this.attempt(() => running);
    this.#command = undefined;
    this.view.activity = "";
    const shown = reveal((result?.content ?? "").replaceAll("\r\n", "\n")).trimEnd();
    const lines = shown === "" && signal.aborted ? [] : shown.split("\n");
    if (result !== undefined)
      for (const line of lines) this.view.line(`  ${result.isError ? style.bad(line) : line}`);
    if (signal.aborted) this.view.line(style.quiet(words.reply.stoppedMark));
    this.#settle();
    if (result === undefined || lines.length === 0) return;
    this.view.line(style.quiet(words.terminal.sharesNext));
    this.#shared.push({ text: toSharedText(command, result.content, words), labels: result.labels });
  }

  #take(event: ChatEvent): void {
    const { words, style } = this.#options;
    if (event.type === "shown") {
      if (event.sessionKey === this.#sessionKey) this.#show(event.shown);
    } else {
      this.status.isLost = event.type === "lost";
      if (event.type === "back") this.view.line(style.quiet(words.terminal.back));
      if (event.type === "back" && !event.isResumed) void this.#reopen();
    }
    this.#options.redraw();
  }

  #show(shown: Shown): void {
    switch (shown.type) {
      case "said":
        this.#hear(shown);
        break;
      case "live":
        this.#showLive(shown.turnId, shown.body);
        break;
      case "aside": {
        const { kind, text, attachments = [] } = shown;
        for (const { name } of attachments) this.view.line(`📎 ${neutralise(name)}`);
        void this.#showPictures(attachments);
        if (this.#ask !== undefined) this.#options.onAsk(this.#ask.question);
        // One of several lines has a diff in it, or a list.
        const isLine = kind === "notice" && !text.includes("\n");
        if (isLine) this.view.line(this.#options.style.warning(neutralise(text)));
        else this.view.whole(text);
        this.#isWaiting = false;
        this.#settle();
        if (kind === "command") void this.#count();
      }
    }
  }

  async #showPictures(attachments: readonly Attachment[]): Promise<void> {
    const { port, showPicture } = this.#options;
    if (showPicture === undefined) return;
    for (const { url, isImage } of attachments) {
      const bytes = isImage ? await port.readFile(url).catch(() => undefined) : undefined;
      if (bytes !== undefined) showPicture(bytes);
    }
  }

  /** What was said in this conversation from elsewhere. */
  #hear({ text, channel, isSystem = false }: Said): void {
    const own = this.#ownTexts.indexOf(text);
    if (own !== -1) this.#ownTexts.splice(own, 1);
    else if (!isSystem) this.view.echo(text, this.#options.words.terminal.elsewhere(channel));
  }

  #showLive(turnId: string, body: LiveBody): void {
    if (body.type === "turn-start") this.#turns.add(turnId);
    this.#isWaiting = false;
    if (body.type === "step-end") {
      this.#seenSteps.add(body.id);
      this.status.usage = body.usage ?? this.status.usage;
    }
    this.view.show(body);
    if (body.type === "ask-start") {
      this.#ask = { ...body, turnId };
      this.#options.onAsk(body.question);
    }
    if (body.type === "ask-end") this.#endAsk();
    if (body.type !== "turn-end") return;
    this.#turns.delete(turnId);
    this.endedAt = this.#options.clock.elapsed();
    if (this.#ask?.turnId === turnId) this.#endAsk();
    this.#settle();
    void this.#count();
  }

  #endAsk(): void {
    if (this.#ask === undefined) return;
    this.#ask = undefined;
    this.#options.onAsk(undefined);
  }

  #settle(): void {
    this.view.isBusy = this.isBusy && this.#ask === undefined;
    this.#options.redraw();
  }

  /** What the status tells: a command may have chosen another model. */
  async #count(): Promise<void> {
    const { port, redraw } = this.#options;
    await this.attempt(async () => {
      this.status.model = (await port.open(this.#sessionKey)).model;
      const { currency, rows } = await port.call("usage.report", { by: "session" });
      const amount = rows.find(({ group }) => group === this.#sessionKey)?.cost;
      if (amount !== undefined) this.status.cost = { amount, currency };
    });
    redraw();
  }

  /** The gateway began again: what was stored meanwhile and not seen here is shown, then what runs now. */
  async #reopen(): Promise<void> {
    const interrupted = new Set(this.#turns);
    const opened = await this.attempt(() => this.#options.port.open(this.#sessionKey));
    if (opened === undefined) return;
    this.view.show({ type: "turn-end", stop: "interrupted" });
    this.#endAsk();
    this.#turns.clear();
    for (const { id, turn, role, text } of opened.past) {
      if (role !== "assistant" || !interrupted.has(turn) || this.#seenSteps.has(id)) continue;
      this.#seenSteps.add(id);
      this.view.whole(text);
    }
    this.#isWaiting = false;
    this.#resume(opened);
  }

  #resume({ running }: OpenedChat): void {
    if (running !== undefined) {
      this.#turns.add(running.turnId);
      this.view.isBusy = true;
      for (const body of running.bodies) this.#showLive(running.turnId, body);
    }
    this.#settle();
  }
}

function toSharedText(command: string, output: string, { terminal }: Words): string {
  return `${terminal.shared(command)}\n${toCodeBlock(output)}`;
}
