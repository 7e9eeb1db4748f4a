// The terminal as a channel: what is typed goes to the bus as messages of the owner, what happens is drawn around the
// line on which the owner types. Knows nothing of the agent.

import type { AskRequest } from "../../bus/ask.ts";
import type { Channel, ChannelCapabilities, ChannelInbox } from "../../bus/channel.ts";
import type { LiveEvent } from "../../bus/live.ts";
import type { Origin, OutboundPart, Sent } from "../../bus/types.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { describeChoices } from "../../words/describe-ask.ts";
import type { Words } from "../../words/words.ts";
import type { Screen } from "../draw/screen.ts";
import type { Style } from "../draw/style.ts";
import { describeQuestion, type TurnView } from "../draw/turn-view.ts";
import type { CollapsedText } from "./collapsed-text.ts";
import { LineEditor } from "./line-editor.ts";

export interface TerminalChannelOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  screen: Screen;
  view: TurnView;
  collapsed: CollapsedText;
  words: Words;
  style: Style;
  clock: Clock;
  ids: Ids;
  /** Who types here. */
  origin: Origin;
  sessionKey: string;
  history: string[];
  /** Called with each message that was typed, for the history. */
  onTyped(text: string): void;
}

export type Farewell = "left" | "interrupted";

const farewells = new Set(["exit", "quit", "/exit", "/quit", ":q"]);
const twiceWithinMs = 2000;

export class TerminalChannel implements Channel {
  readonly name: string;
  readonly capabilities: ChannelCapabilities = {
    format: "terminal",
    markup: "markdown",
    streaming: "live",
    media: false,
    typing: false,
    reactions: false,
    threads: false,
    canAsk: true,
  };
  readonly #options: TerminalChannelOptions;
  readonly #editor: LineEditor;
  readonly #left = Promise.withResolvers<Farewell>();
  #inbox: Pick<ChannelInbox, "publish"> | undefined;
  /** Something was sent and is not answered yet, or a turn runs. */
  #isBusy = false;
  #turnId: string | undefined;
  /** The person has begun to type while a turn runs: drawing waits. */
  #isTyping = false;
  #question: AskRequest | undefined;
  /** What was being typed when a question came in between. */
  #draft = "";
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #turnEndedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TerminalChannelOptions) {
    this.#options = options;
    this.name = options.origin.channel;
    const { input, output, history, collapsed } = options;
    this.#editor = new LineEditor({
      input,
      output,
      history,
      collapsed,
      events: {
        onSubmit: (text) => this.#submit(text),
        onInterrupt: (hadText) => this.#interrupt(hadText),
        onEnd: () => this.#leave(),
        onWake: () => this.#beginTyping(""),
        onEmpty: () => this.#endTyping(),
      },
    });
  }

  /** How the person left; settles after `start`. */
  get farewell(): Promise<Farewell> {
    return this.#left.promise;
  }

  async start(inbox: Pick<ChannelInbox, "publish">, signal: AbortSignal): Promise<void> {
    this.#inbox = inbox;
    const leave = () => this.#left.resolve("interrupted");
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    this.#editor.start();
    this.#showLine();
    await this.#left.promise;
    signal.removeEventListener("abort", leave);
    this.#hideLine();
    this.#editor.close();
    this.#options.screen.idle();
    this.#options.screen.release();
    this.#options.screen.freshLine();
  }

  async send(part: OutboundPart): Promise<Sent> {
    const { style, screen, view } = this.#options;
    for (const path of part.media) this.#drawAside(() => screen.line(`📎 ${neutralise(path)}`));
    if (part.kind === "notice") this.#drawAside(() => screen.line(style.warning(neutralise(part.text))));
    else if (!part.wasStreamed) this.#drawAside(() => view.showWhole(part.text));
    if (part.turnId === this.#turnId && part.kind !== "message") this.#endTurn();
    else this.#settle();
    return {};
  }

  showLive({ sessionKey, turnId, body }: LiveEvent): void {
    if (sessionKey !== this.#options.sessionKey) return;
    if (body.type === "turn-start") this.#beginTurn(turnId);
    this.#drawAside(() => this.#options.view.show(body));
    if (body.type === "ask-start") this.#ask(body.request);
    if (body.type === "ask-end") this.#endQuestion();
    // A subagent may have asked while nothing else ran.
    if (body.type === "ask-end" && this.#turnId === undefined) this.#settle();
    if (body.type === "turn-end") this.#endTurn();
  }

  /** A line that was shown gives way; what was typed on it stays. */
  #beginTurn(turnId: string): void {
    this.#isBusy = true;
    this.#turnId = turnId;
    const typed = this.#isTyping ? "" : this.#hideLine();
    if (typed !== "") this.#beginTyping(typed);
  }

  #endTurn(): void {
    this.#turnId = undefined;
    this.#turnEndedAt = this.#options.clock.elapsed();
    // A turn that was stopped takes its question along.
    if (this.#question !== undefined) this.#endQuestion();
    // The answer's parts follow a turn's end at once, and should stand above the prompt.
    setImmediate(() => this.#settle());
  }

  /** Draws while the line is out of the way; where a person types during a turn, the screen holds it back. */
  #drawAside(draw: () => void): void {
    const isInTheWay = this.#editor.isShown && !this.#isTyping;
    const typed = isInTheWay ? this.#hideLine() : "";
    draw();
    if (isInTheWay) this.#showLine(typed);
  }

  #showLine(text = ""): void {
    const { screen, style, words } = this.#options;
    screen.isLineTaken = true;
    screen.freshLine();
    if (this.#question === undefined) this.#editor.show(style.prompt("> "), text);
    else this.#editor.show(style.warning(`${describeChoices(this.#question, words)} `), text, false);
  }

  #hideLine(): string {
    this.#options.screen.isLineTaken = false;
    return this.#editor.hide();
  }

  /** The line is there whenever nothing runs, or when something is asked. */
  #settle(): void {
    if (this.#question === undefined && this.#turnId !== undefined) return;
    const { screen } = this.#options;
    const wasBusy = this.#isBusy;
    this.#isBusy = this.#question !== undefined;
    const typed = this.#isTyping ? this.#hideLine() : "";
    this.#isTyping = false;
    screen.idle();
    screen.release();
    if (wasBusy && !this.#isBusy) screen.line("");
    if (!this.#editor.isShown) this.#showLine(typed);
  }

  #beginTyping(text: string): void {
    this.#isTyping = true;
    this.#options.screen.hold();
    this.#editor.show(this.#options.style.prompt("> "), text);
  }

  #endTyping(): void {
    if (!this.#isTyping) return;
    this.#isTyping = false;
    this.#editor.hide();
    this.#options.screen.release();
  }

  #submit(text: string): void {
    const { screen, words, style } = this.#options;
    const isFollowUp = this.#isBusy;
    this.#isTyping = false;
    screen.isLineTaken = false;
    screen.release();
    const message = text.trim();
    if (this.#question !== undefined) this.#publish(message === "" ? "no" : text);
    else if (farewells.has(message)) this.#leave();
    else if (message === "") this.#settle();
    else {
      this.#options.onTyped(text);
      if (isFollowUp && !message.startsWith("/")) screen.line(style.quiet(words.chat.followUp));
      this.#isBusy = true;
      screen.busy(words.chat.thinking);
      this.#publish(text);
    }
  }

  #leave(): void {
    this.#left.resolve(this.#isBusy ? "interrupted" : "left");
    // What was typed in the same burst behind the farewell is not sent any more.
    this.#inbox = undefined;
  }

  #publish(text: string): void {
    const { ids, origin, sessionKey } = this.#options;
    const message = { sourceKey: `${this.name}:${ids.next()}`, sessionKey, origin, text };
    void this.#inbox?.publish(message).catch((error: Error) => this.#options.screen.line(error.message));
  }

  #ask(request: AskRequest): void {
    const { screen, style, words } = this.#options;
    this.#draft = this.#hideLine();
    this.#isTyping = false;
    screen.release();
    for (const line of describeQuestion(request, words, style)) screen.line(line);
    this.#question = request;
    this.#showLine();
  }

  #endQuestion(): void {
    this.#question = undefined;
    this.#hideLine();
    const draft = this.#draft;
    this.#draft = "";
    if (draft !== "") this.#beginTyping(draft);
  }

  /** Stops what runs; a second one soon after leaves. With nothing to stop and nothing typed, the first one leaves. */
  #interrupt(hadText: boolean): void {
    const { screen, style, words, clock } = this.#options;
    const now = clock.elapsed();
    const isSecond = now - this.#interruptedAt < twiceWithinMs;
    // Whoever meant to stop an answer that has just ended does not want to leave.
    const mayLeave = !this.#isBusy && !hadText && now - this.#turnEndedAt >= twiceWithinMs;
    this.#interruptedAt = now;
    if (isSecond || mayLeave) {
      this.#leave();
      return;
    }
    if (this.#isTyping) this.#endTyping();
    if (this.#isBusy) {
      this.#drawAside(() => screen.line(style.quiet(words.chat.stopping)));
      this.#publish("/stop");
    } else {
      this.#drawAside(() => screen.line(style.quiet(words.chat.ctrlCAgainLeaves)));
    }
  }
}
