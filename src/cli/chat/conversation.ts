// One conversation as the terminal shows it: what is sent, what happens, what is asked. Knows no key and no stream.
import type { AskRequest, AskScope } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import { neutralise, reveal } from "../../lib/visible-text.ts";
import type { Said, Shown } from "../../server/protocol/chat.ts";
import type { Words } from "../../words/words.ts";
import { TurnView, type TurnViewOptions } from "../draw/turn-view.ts";
import type { ChatEvent, ChatPort, OpenedChat } from "./chat-port.ts";
import { findMentionedFiles } from "./mentioned-files.ts";
import type { ChatStatus } from "./status-line.ts";

export interface ConversationOptions extends Omit<TurnViewOptions, "hint"> {
  port: ChatPort;
  sessionKey: string;
  isSandboxed: boolean | undefined;
  folders: readonly string[];
  takeFiles(paths: string[]): Promise<string[]>;
  redraw(): void;
  /** A question waits for an answer; undefined: it does no more. */
  onAsk(request: AskRequest | undefined): void;
}

const mostEchoedLines = 12;

export class Conversation {
  readonly view: TurnView;
  readonly status: ChatStatus;
  readonly #options: ConversationOptions;
  #sessionKey = "";
  /** Turns that run, with the steps of theirs that were seen to their end. */
  readonly #turns = new Set<string>();
  readonly #seenSteps = new Set<string>();
  /** Sent and not answered by anything yet. */
  #isWaiting = false;
  #askId: string | undefined;
  /** Said here: the gateway tells it to everybody. */
  readonly #ownTexts: string[] = [];
  /** Output of commands that goes along with the next message. */
  #shared: Array<{ text: string; labels: string[] }> = [];
  #command: AbortController | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { port, isSandboxed, words } = options;
    this.view = new TurnView({ ...options, hint: words.terminal.escStops });
    this.status = { model: "", isSandboxed, isAttached: port.isAttached, isLost: false };
    port.listen((event) => this.#take(event));
  }

  get isBusy(): boolean {
    return this.#isWaiting || this.#turns.size > 0 || this.#command !== undefined;
  }

  /** When the last turn was over. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /** Runs a wish; its failure is a line. */
  async attempt<T>(wish: () => Promise<T>): Promise<T | undefined> {
    const { style } = this.#options;
    try {
      return await wish();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.view.line(style.bad(neutralise(error.message)));
      this.#settle();
      return undefined;
    }
  }

  async open(key: string): Promise<void> {
    const { port, style, words } = this.#options;
    const isFirst = this.#sessionKey === "";
    const opened = await this.attempt(() => port.open(key));
    if (opened === undefined) return;
    this.#sessionKey = key;
    this.#turns.clear();
    this.#isWaiting = false;
    this.status.model = opened.model;
    if (!isFirst) {
      this.#options.print(["", style.bold(words.terminal.opened(oneLine(opened.title)))]);
      for (const { role, text } of opened.past.slice(-4)) this.#showPast(role, text);
    }
    this.#resume(opened);
    await this.#count();
  }

  async send(text: string): Promise<void> {
    const { port, folders, takeFiles, words, style } = this.#options;
    const isCommand = text.startsWith("/");
    const shared = isCommand ? [] : this.#shared;
    if (!isCommand) this.#shared = [];
    this.#echo(text);
    if (this.isBusy && !isCommand) this.view.line(style.quiet(words.chat.followUp));
    this.#isWaiting = true;
    this.view.isBusy = true;
    await this.attempt(async () => {
      const files = isCommand ? [] : await takeFiles(await findMentionedFiles(text, folders));
      const whole = [...shared.map((one) => one.text), text].join("\n\n");
      const labels = [...new Set(shared.flatMap((one) => one.labels))];
      this.#ownTexts.push(whole);
      await port.send({ sessionKey: this.#sessionKey, text: whole, files, labels });
    });
  }

  async stop(): Promise<void> {
    const { port, words, style } = this.#options;
    this.view.line(style.quiet(words.chat.stopping));
    if (this.#command !== undefined) this.#command.abort(new Error("stopped"));
    else await this.attempt(() => port.stop(this.#sessionKey));
  }

  async answer(isAllowed: boolean, scope: AskScope): Promise<void> {
    const { port } = this.#options;
    const askId = this.#askId;
    if (askId === undefined) return;
    await this.attempt(() => port.answer({ sessionKey: this.#sessionKey, askId, isAllowed, scope }));
  }

  /** What it prints is shown, and goes along with the next message as what the owner shares. */
  async runCommand(command: string): Promise<void> {
    const { port, words, style } = this.#options;
    this.#echo(`!${command}`);
    if (command === "" || this.#command !== undefined) return;
    const controller = new AbortController();
    this.#command = controller;
    this.view.isBusy = true;
    const { signal } = controller;
    const result = await this.attempt(() => port.run({ sessionKey: this.#sessionKey, command }, signal));
    this.#command = undefined;
    this.#settle();
    if (result === undefined) return;
    const shown = reveal(result.content.replaceAll("\r\n", "\n")).trimEnd();
    this.#options.print(shown.split("\n").map((line) => `  ${result.isError ? style.bad(line) : line}`));
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
        if (kind === "notice") this.view.line(this.#options.style.warning(neutralise(text)));
        else this.view.whole(text);
        this.#isWaiting = false;
        this.#settle();
        break;
      }
      case "rewritten":
        void this.open(this.#sessionKey);
    }
  }

  /** What was said in this conversation from elsewhere. */
  #hear({ text, channel, isSystem = false }: Said): void {
    const own = this.#ownTexts.indexOf(text);
    if (own !== -1) this.#ownTexts.splice(own, 1);
    else if (!isSystem) this.#echo(text, this.#options.words.terminal.elsewhere(channel));
  }

  #showLive(turnId: string, body: LiveBody): void {
    if (body.type === "turn-start") this.#turns.add(turnId);
    this.#isWaiting = false;
    if (body.type === "step-end") {
      this.#seenSteps.add(`${turnId}.${body.step}`);
      this.status.usage = body.usage ?? this.status.usage;
    }
    this.view.show(body);
    if (body.type === "ask-start") {
      this.#askId = body.askId;
      this.#options.onAsk(body.request);
    }
    if (body.type === "ask-end") this.#endAsk();
    if (body.type !== "turn-end") return;
    this.#turns.delete(turnId);
    this.#endedAt = this.#options.clock.elapsed();
    this.#endAsk();
    this.#settle();
    void this.#count();
  }

  #endAsk(): void {
    if (this.#askId === undefined) return;
    this.#askId = undefined;
    this.#options.onAsk(undefined);
  }

  #settle(): void {
    this.view.isBusy = this.isBusy;
    this.#options.redraw();
  }

  async #count(): Promise<void> {
    const cost = await this.attempt(() => this.#options.port.cost(this.#sessionKey));
    if (cost !== undefined) this.status.cost = cost;
    this.#options.redraw();
  }

  /** The gateway began anew: what was stored meanwhile and not seen here is shown, then what runs now. */
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

  #showPast(role: string, text: string): void {
    if (role === "user") this.#echo(text);
    else this.view.whole(text);
  }

  #echo(text: string, note = ""): void {
    const { style, print } = this.#options;
    const lines = neutralise(text.replaceAll("\r\n", "\n")).split("\n");
    const hidden = lines.length - mostEchoedLines;
    const shown = hidden > 1 ? [...lines.slice(0, mostEchoedLines), this.#more(hidden)] : lines;
    const marked = shown.map((line, index) => (index === 0 ? `${style.prompt("> ")}${line}` : `  ${line}`));
    print(["", ...marked, ...(note === "" ? [] : [style.quiet(`  (${note})`)])]);
  }

  #more(count: number): string {
    return this.#options.style.quiet(`… ${this.#options.words.terminal.moreLines(count)}`);
  }
}

/** Fenced by more marks than there are in it, so that its end is where the output ends. */
function toSharedText(command: string, output: string, { terminal }: Words): string {
  const longest = Math.max(2, ...(output.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${terminal.shared(command)}\n${fence}\n${output}\n${fence}`;
}

function oneLine(text: string): string {
  return neutralise(text.split("\n")[0] ?? "");
}
