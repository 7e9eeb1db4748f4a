// The chat on a whole terminal: the conversation above, the editor with its completions below it, then the status.
// Knows the assistant only as a port.
import type { Component, Container, Editor, SelectItem, TUI } from "@earendil-works/pi-tui";
import { noChoice, type Question } from "../../bus/ask.ts";
import { describeChoices, listChoices } from "../../i18n/describe-ask.ts";
import { onAbort } from "../../lib/abort.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { LiveRegion } from "../draw/live-region.ts";
import type { TuiLibrary } from "../draw/markdown.ts";
import { createMarkdown } from "../draw/markdown.ts";
import { drawPicture } from "../draw/picture.ts";
import { frameMs, TurnView } from "../draw/turn-view.ts";
import { saveClipboardImage, withImageMention } from "../terminal/media-files.ts";
import { createCompletion } from "./completion.ts";
import { Conversation, type ConversationOptions, isFarewell } from "./conversation.ts";
import { createAskMenu, createPicker, toListTheme, toSessionItems } from "./pickers.ts";
import { describeStatus } from "./status-line.ts";

export interface TuiChatOptions extends Omit<ConversationOptions, "view" | "redraw" | "onAsk"> {
  library: TuiLibrary;
  sessionKey: string;
  hintLength: number;
  mediaFolder: string;
  /** Newest first. */
  history: string[];
  onTyped(text: string): void;
}

export type Farewell = "left" | "interrupted";

const twiceWithinMs = 2000;

export class TuiChat {
  readonly #options: TuiChatOptions;
  readonly #screen: ChatScreen;
  readonly #editor: Editor;
  readonly #conversation: Conversation;
  readonly #view: TurnView;
  readonly #left = Promise.withResolvers<Farewell>();
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TuiChatOptions) {
    this.#options = options;
    const { library, style, words } = options;
    const view = new TurnView({
      ...options,
      markdown: createMarkdown(library, style),
      columns: () => this.#screen.tui.terminal.columns,
      print: (lines) => this.#screen.print(lines),
      hint: words.terminal.escStops,
    });
    this.#view = view;
    this.#screen = createChatScreen(library, {
      above: (columns) => [...view.render(columns), ""],
      below: (columns) => {
        const { status } = this.#conversation;
        const paint = status.isLost ? style.warning : style.quiet;
        return [paint(` ${describeStatus(status, words, columns - 2)}`)];
      },
    });
    this.#editor = this.#createEditor();
    this.#conversation = new Conversation({
      ...options,
      view,
      ...(library.getCapabilities().images !== null && {
        showPicture: (bytes) =>
          this.#screen.print(drawPicture(library, bytes, this.#screen.tui.terminal.columns)),
      }),
      redraw: () => this.#screen.tui.requestRender(),
      onAsk: (question) => (question === undefined ? this.#take(this.#editor) : this.#ask(question)),
    });
  }

  /** Resolves when the person has left. */
  async run(signal: AbortSignal): Promise<Farewell> {
    const { tui } = this.#screen;
    const restore = () => tui.terminal.stop();
    const spinning = setInterval(() => {
      if (this.#conversation.isBusy) tui.requestRender();
    }, frameMs);
    const forget = onAbort(signal, () => this.#left.resolve("interrupted"));
    process.once("exit", restore);
    tui.addInputListener((keys) => this.#listen(keys));
    this.#take(this.#editor);
    tui.start();
    try {
      await this.#conversation.open(this.#options.sessionKey);
      return await this.#left.promise;
    } finally {
      clearInterval(spinning);
      forget();
      process.off("exit", restore);
      tui.stop();
    }
  }

  #createEditor(): Editor {
    const { library, words, style, history, port, folders } = this.#options;
    const theme = { borderColor: style.quiet, selectList: toListTheme(style, words) };
    const editor = new library.Editor(this.#screen.tui, theme, { paddingX: 1 });
    const own = [
      { name: "sessions", about: words.terminal.sessions },
      { name: "exit", about: words.terminal.leave },
    ];
    const known = async () => {
      const { commands, skills } = await port.call("chat.complete", {});
      return { commands: [...commands, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1)), skills };
    };
    editor.setAutocompleteProvider(createCompletion({ known, folders }));
    for (const entry of history.toReversed()) editor.addToHistory(entry);
    editor.onSubmit = (text) => this.#submit(text.trim());
    editor.onChange = (text) => {
      editor.borderColor = text.startsWith("!") ? style.warning : style.quiet;
    };
    return editor;
  }

  /** Puts something into the place of the editor. */
  #take(component: Component): void {
    const { slot, tui } = this.#screen;
    slot.clear();
    slot.addChild(component);
    tui.setFocus(component);
    tui.requestRender();
  }

  /** Keys that act wherever the person is. */
  #listen(keys: string): { consume?: boolean; data?: string } {
    const { matchesKey, isKeyRelease } = this.#options.library;
    const isEditing = this.#isEditing;
    const mayStop = isEditing && this.#conversation.isBusy && !this.#editor.isShowingAutocomplete();
    // Some terminals also tell when a key is let go: that is no second one.
    if (isKeyRelease(keys)) return { data: keys };
    if (matchesKey(keys, "ctrl+c")) this.#interrupt();
    else if (matchesKey(keys, "ctrl+z")) this.#suspend();
    else if (matchesKey(keys, "ctrl+d") && isEditing && this.#editor.getText() === "") this.#leave();
    else if (matchesKey(keys, "ctrl+r") && isEditing) void this.#pickSession();
    else if (matchesKey(keys, "ctrl+t")) this.#view.showReasoning();
    else if (matchesKey(keys, "ctrl+v") && isEditing) void this.#pasteImage();
    else if (matchesKey(keys, "escape") && mayStop) void this.#conversation.stop();
    else return { data: withImageMention(keys) };
    return { consume: true };
  }

  get #isEditing(): boolean {
    return this.#screen.slot.children.includes(this.#editor);
  }

  #submit(message: string): void {
    if (message === "") return;
    if (isFarewell(message)) {
      this.#leave();
      return;
    }
    this.#editor.addToHistory(message);
    this.#options.onTyped(message);
    if (message === "/sessions") void this.#pickSession();
    else if (message === "/model") void this.#pickModel();
    else void this.#conversation.say(message);
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
    // A user who meant to stop an answer that has just ended does not want to leave.
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

  /** One key answers. Where something was being typed, only Enter does: what is typed on is never taken for an answer. */
  #ask(question: Question): void {
    const { words } = this.#options;
    if (this.#editor.getText() !== "") {
      this.#askForText(question, "");
      return;
    }
    const menu = createAskMenu({
      ...this.#options,
      choices: listChoices(question, words),
      onChoice: (id) => void this.#conversation.answer(id),
      onText: (text) => this.#askForText(question, text),
    });
    this.#take(menu);
  }

  #askForText(question: Question, typed: string): void {
    const { library, words, style } = this.#options;
    const input = new library.Input({ prompt: "> " });
    const render = input.render.bind(input);
    input.render = (columns) => [style.warning(describeChoices(question, words)), ...render(columns)];
    input.onSubmit = (text) => {
      input.setValue("");
      if (isFarewell(text.trim())) this.#leave();
      else void this.#conversation.answer(text);
    };
    input.onEscape = () => void this.#conversation.answer(noChoice);
    this.#take(input);
    for (const sign of typed) input.handleInput(sign);
  }

  async #pickSession(): Promise<void> {
    const { words, port } = this.#options;
    const listed = await this.#conversation.attempt(() => port.call("chat.list", {}));
    if (listed === undefined) return;
    const items = toSessionItems(listed.sessions, words);
    this.#pick(words.terminal.sessions, items, (key) => this.#conversation.open(key));
  }

  /** The models of the host that answers, and the presets. */
  async #pickModel(): Promise<void> {
    const { port } = this.#options;
    const conversation = this.#conversation;
    const listed = await conversation.attempt(async () => ({
      ...(await port.call("models.list", {})),
      ...(await port.call("chat.models", {})),
    }));
    const { host = "", models = [], presets = [] } = listed ?? {};
    const items = [
      ...presets.map((name) => ({ value: name, label: revealLine(name) })),
      ...models.map(({ id, window }) => ({
        value: `${host}/${id}`,
        label: revealLine(id),
        ...(window !== undefined && { description: String(window) }),
      })),
    ];
    if (items.length === 0) await conversation.say("/model");
    else this.#pick("/model", items, (name) => conversation.say(`/model ${name}`));
  }

  #pick(title: string, items: SelectItem[], act: (value: string) => Promise<void>): void {
    if (!this.#isEditing) return;
    const onCancel = () => this.#take(this.#editor);
    const onPick = (value: string) => {
      onCancel();
      void act(value);
    };
    this.#take(createPicker({ ...this.#options, title, items, onPick, onCancel }));
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

export interface ChatScreen {
  tui: TUI;
  /** Where a person types: what is in it can be exchanged. */
  slot: Container;
  /** Prints lines that stay. */
  print(lines: string[]): void;
}

function createChatScreen(
  library: TuiLibrary,
  parts: { above: Component["render"]; below: Component["render"] },
): ChatScreen {
  const { TuiMainScreen, ProcessTerminal, Container, CURSOR_MARKER, visibleWidth } = library;
  const terminal = new ProcessTerminal();
  const region = new LiveRegion(terminal, library);
  let finished: string[] = [];

  class Screen extends TuiMainScreen {
    protected override doRender(): void {
      if (this.stopped) return;
      const lines = this.render(terminal.columns).map(showRealCursor);
      const row = lines.findIndex((line) => line.includes(CURSOR_MARKER));
      const column = visibleWidth(lines[row]?.split(CURSOR_MARKER)[0] ?? "");
      const shown = lines.map((line) => line.replace(CURSOR_MARKER, "").trimEnd());
      region.draw({ lines: shown, ...(row >= 0 && { cursor: { row, column } }) }, finished);
      finished = [];
    }

    protected override beforeTerminalStop(): void {
      if (finished.length > 0) region.draw({ lines: [] }, finished);
      finished = [];
      region.clear();
    }
  }

  /** The library paints a cursor of its own; the terminal's is where input methods show what is being typed. */
  function showRealCursor(line: string): string {
    const [before, painted] = line.split(`${CURSOR_MARKER}${invert}`);
    if (painted === undefined) return line;
    return `${before}${CURSOR_MARKER}${painted.replace("\u001b[0m", "").replace("\u001b[27m", "")}`;
  }

  const tui = new Screen(terminal, true);
  const slot = new Container();
  const toComponent = (render: Component["render"]): Component => ({ render, invalidate() {} });
  for (const part of [toComponent(parts.above), slot, toComponent(parts.below)]) tui.addChild(part);
  return {
    tui,
    slot,
    print(lines) {
      finished.push(...lines);
      tui.requestRender();
    },
  };
}

const invert = "\u001b[7m";
