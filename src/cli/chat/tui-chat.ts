// The chat on a whole terminal: the conversation above, the editor with its completions below it, then the status.
// Knows the assistant only as a port.
import type { Component, Editor } from "@earendil-works/pi-tui";
import type { AskRequest } from "../../bus/ask.ts";
import { toScope } from "../../bus/ask.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeChoices } from "../../words/describe-ask.ts";
import { readApprovalAnswer, type Words } from "../../words/words.ts";
import { createMarkdown } from "../draw/markdown.ts";
import type { Style } from "../draw/style.ts";
import type { TuiLibrary } from "../draw/tui-library.ts";
import { frameMs } from "../draw/turn-view.ts";
import type { ChatPort } from "./chat-port.ts";
import { type ChatScreen, createChatScreen } from "./chat-screen.ts";
import { createCompletion } from "./completion.ts";
import { Conversation } from "./conversation.ts";
import { saveClipboardImage, withImageMention } from "./mentioned-files.ts";
import { createSessionPicker, toListTheme } from "./session-picker.ts";
import { paintStatus } from "./status-line.ts";

export interface TuiChatOptions {
  library: TuiLibrary;
  port: ChatPort;
  words: Words;
  style: Style;
  clock: Clock;
  sessionKey: string;
  isSandboxed: boolean | undefined;
  hintLength: number;
  /** Where files that are named are looked for; the first is where the program was started. */
  folders: readonly string[];
  mediaFolder: string;
  /** Makes files that are named readable for the assistant; throws what the person is told. */
  takeFiles(paths: string[]): Promise<string[]>;
  /** Newest first. */
  history: string[];
  onTyped(text: string): void;
}

export type Farewell = "left" | "interrupted";

const farewells = new Set(["exit", "quit", "/exit", "/quit", ":q"]);
const twiceWithinMs = 2000;

export class TuiChat {
  readonly #options: TuiChatOptions;
  readonly #screen: ChatScreen;
  readonly #editor: Editor;
  readonly #conversation: Conversation;
  readonly #left = Promise.withResolvers<Farewell>();
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TuiChatOptions) {
    this.#options = options;
    const { library, style, words } = options;
    const view: Component = {
      render: (columns) => [...this.#conversation.view.render(columns), ""],
      invalidate() {},
    };
    const status: Component = {
      render: (columns) => [paintStatus(this.#conversation.status, words, { style, columns })],
      invalidate() {},
    };
    this.#screen = createChatScreen(library, { above: view, below: status });
    this.#editor = this.#createEditor();
    this.#conversation = new Conversation({
      ...options,
      markdown: createMarkdown(library, style),
      columns: () => this.#screen.tui.terminal.columns,
      print: (lines) => this.#screen.print(lines),
      redraw: () => this.#screen.tui.requestRender(),
      onAsk: (request) => (request === undefined ? this.#take(this.#editor) : this.#ask(request)),
    });
  }

  /** Resolves when the person has left. */
  async run(signal: AbortSignal): Promise<Farewell> {
    const { tui } = this.#screen;
    const leave = () => this.#left.resolve("interrupted");
    const restore = () => tui.terminal.stop();
    const spinning = setInterval(() => {
      if (this.#conversation.view.isBusy) tui.requestRender();
    }, frameMs);
    signal.addEventListener("abort", leave, { once: true });
    process.once("exit", restore);
    tui.addInputListener((keys) => this.#listen(keys));
    this.#take(this.#editor);
    tui.start();
    if (signal.aborted) leave();
    try {
      await this.#conversation.open(this.#options.sessionKey);
      return await this.#left.promise;
    } finally {
      clearInterval(spinning);
      signal.removeEventListener("abort", leave);
      process.off("exit", restore);
      tui.stop();
    }
  }

  #createEditor(): Editor {
    const { library, words, style, history, port, folders } = this.#options;
    const selectList = toListTheme(style, words);
    const editor = new library.Editor(
      this.#screen.tui,
      { borderColor: style.quiet, selectList },
      { paddingX: 1 },
    );
    const known = async () => {
      const { commands, skills } = await port.complete();
      const own = [
        { name: "sessions", about: words.terminal.sessions },
        { name: "exit", about: words.terminal.leave },
      ];
      return { commands: [...commands, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1)), skills };
    };
    editor.setAutocompleteProvider(createCompletion({ known, folders }));
    for (const entry of history.toReversed()) editor.addToHistory(entry);
    editor.onSubmit = (text) => this.#submit(text);
    editor.onChange = (text) => {
      editor.borderColor = text.startsWith("!") ? style.warning : style.quiet;
    };
    return editor;
  }

  /** Puts something into the place of the editor. */
  #take(component: Component, prompt?: Component): void {
    const { slot, tui } = this.#screen;
    slot.clear();
    if (prompt !== undefined) slot.addChild(prompt);
    slot.addChild(component);
    tui.setFocus(component);
    tui.requestRender();
  }

  /** Keys that act wherever the person is. */
  #listen(keys: string): { consume?: boolean; data?: string } | undefined {
    const { matchesKey } = this.#options.library;
    const isIdle = this.#editor.getText() === "" && !this.#editor.isShowingAutocomplete();
    if (matchesKey(keys, "ctrl+c")) this.#interrupt();
    else if (matchesKey(keys, "ctrl+d") && isIdle && this.#isEditing) this.#leave();
    else if (matchesKey(keys, "ctrl+z")) this.#suspend();
    else if (matchesKey(keys, "ctrl+r") && this.#isEditing) void this.#pickSession();
    else if (matchesKey(keys, "ctrl+v") && this.#isEditing) void this.#pasteImage();
    else if (matchesKey(keys, "escape") && this.#stopsAtEscape) void this.#conversation.stop();
    else return { data: withImageMention(keys) };
    return { consume: true };
  }

  get #isEditing(): boolean {
    return this.#screen.slot.children.includes(this.#editor);
  }

  get #stopsAtEscape(): boolean {
    return this.#isEditing && this.#conversation.isBusy && !this.#editor.isShowingAutocomplete();
  }

  #submit(text: string): void {
    const message = text.trim();
    if (message === "") return;
    if (farewells.has(message)) {
      this.#leave();
      return;
    }
    this.#editor.addToHistory(message);
    this.#options.onTyped(message);
    if (message === "/sessions") void this.#pickSession();
    else if (message.startsWith("!")) void this.#conversation.runCommand(message.slice(1).trim());
    else void this.#conversation.send(message);
  }

  #leave(): void {
    this.#left.resolve(this.#conversation.isBusy ? "interrupted" : "left");
  }

  /** Stops what runs; a second one soon after leaves. With nothing to stop and nothing typed, the first one leaves. */
  #interrupt(): void {
    const { clock, words, style } = this.#options;
    const conversation = this.#conversation;
    const now = clock.elapsed();
    const isSecond = now - this.#interruptedAt < twiceWithinMs;
    const hasText = this.#editor.getText() !== "" || !this.#isEditing;
    // Whoever meant to stop an answer that has just ended does not want to leave.
    const mayLeave = !conversation.isBusy && !hasText && now - conversation.endedAt >= twiceWithinMs;
    this.#interruptedAt = now;
    if (isSecond || mayLeave) this.#leave();
    else if (conversation.isBusy) void conversation.stop();
    else if (!this.#isEditing) this.#take(this.#editor);
    else {
      this.#editor.setText("");
      conversation.view.line(style.quiet(words.chat.ctrlCAgainLeaves));
    }
  }

  /** What was being typed stays in the editor: it is never taken for an answer. */
  #ask(request: AskRequest): void {
    const { library, words, style } = this.#options;
    const input = new library.Input({ prompt: "> " });
    const choices = describeChoices(request, words);
    const prompt: Component = { render: () => [style.warning(choices)], invalidate() {} };
    input.onSubmit = (text) => {
      const word = readApprovalAnswer(text.trim() === "" ? "no" : text);
      input.setValue("");
      if (word === undefined)
        this.#conversation.view.line(style.warning(words.approval.notAnAnswer(choices)));
      else void this.#conversation.answer(word !== "no", word === "no" ? "once" : toScope(word, request));
    };
    input.onEscape = () => void this.#conversation.answer(false, "once");
    this.#take(input, prompt);
  }

  async #pickSession(): Promise<void> {
    const { library, words, style, port } = this.#options;
    const rows = await this.#conversation.attempt(() => port.sessions());
    if (rows === undefined || !this.#isEditing) return;
    const back = () => this.#take(this.#editor);
    const onPick = (key: string) => {
      back();
      void this.#conversation.open(key);
    };
    this.#take(createSessionPicker({ library, rows, words, style, onPick, onCancel: back }));
  }

  async #pasteImage(): Promise<void> {
    const { library, clock, mediaFolder: folder, words, style } = this.#options;
    const path = await this.#conversation.attempt(() => saveClipboardImage(library, { folder, clock }));
    if (path === undefined) this.#conversation.view.line(style.quiet(words.terminal.noImage));
    else this.#editor.insertTextAtCursor(`@${path} `);
    this.#screen.tui.requestRender();
  }

  /** Ctrl-Z: the shell gets its terminal back, and we ours when we go on. */
  #suspend(): void {
    if (process.platform === "win32") return;
    const { tui } = this.#screen;
    tui.stop();
    process.once("SIGCONT", () => tui.start());
    process.kill(process.pid, "SIGTSTP");
  }
}
