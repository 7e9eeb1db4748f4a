// The line at the bottom of a terminal where a person types: node:readline underneath, which can be hidden while others
// draw. Knows nothing of turns; whoever uses it says when the line is shown.

import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { CollapsedText } from "./collapsed-text.ts";
import { disableBracketedPaste, enableBracketedPaste, type InputPiece, PasteFilter } from "./paste-filter.ts";

export interface LineEditorEvents {
  /** A whole message: lines that ended in a backslash are joined, pasted text is in it. */
  onSubmit(text: string): void;
  /** Ctrl-C. What was typed is gone by then. */
  onInterrupt(hadText: boolean): void;
  /** Ctrl-D on an empty line, or the terminal is gone. */
  onEnd(): void;
  /** A key while the line is hidden: show the line, and it goes there. */
  onWake(): void;
  /** After keys: the line is empty again. */
  onEmpty(): void;
}

export interface LineEditorOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Newest first. */
  history: string[];
  collapsed: CollapsedText;
  events: LineEditorEvents;
}

const continuationPrompt = "… ";
const continues = /(?:^|[^\\])(?:\\\\)*\\$/;
/** Ctrl-C, Ctrl-D and Enter act, or do nothing, without a line to type on. */
const keysThatDoNotWake = new Set(["\u0003", "\u0004", "\r", "\n"]);

export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #keys = new Readable({ read() {} });
  readonly #gate: Gate;
  readonly #readline: Interface;
  readonly #filter = new PasteFilter();
  readonly #decoder = new StringDecoder("utf8");
  #isShown = false;
  #isClosed = false;
  /** Lines so far that ended in a backslash, each with its newline. */
  #earlier = "";
  #keepsHistory = true;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#gate = new Gate(options.output);
    this.#readline = createInterface({
      input: this.#keys,
      output: this.#gate,
      terminal: true,
      history: options.history.map((entry) => options.collapsed.collapse(entry)),
      historySize: 1000,
      removeHistoryDuplicates: true,
    });
    this.#readline.on("history", (history) => this.#editHistory(history));
    this.#readline.on("line", (line) => this.#takeLine(line));
    this.#readline.on("SIGINT", () => this.#interrupt());
    this.#readline.on("SIGTSTP", () => this.#suspend());
    this.#readline.on("close", () => this.#end());
  }

  start(): void {
    const { input, output } = this.#options;
    input.setRawMode(true);
    output.write(enableBracketedPaste);
    input.on("data", this.#onData);
    input.on("end", this.#end).on("error", this.#end);
    output.on("resize", this.#onResize);
    process.once("exit", this.#restore);
    input.resume();
  }

  /** Shows the line with a prompt and what was typed before; answers to questions stay out of the history. */
  show(prompt: string, text = "", keepsHistory = true): void {
    this.#keepsHistory = keepsHistory;
    this.#isShown = true;
    this.#gate.isOpen = true;
    this.#readline.setPrompt(prompt);
    this.#readline.prompt(true);
    if (text !== "") this.#readline.write(text);
  }

  /** Takes the line away and returns what was typed on it. */
  hide(): string {
    if (!this.#isShown) return "";
    const text = this.#clear();
    cursorTo(this.#gate, 0);
    clearScreenDown(this.#gate);
    this.#gate.isOpen = false;
    this.#isShown = false;
    return text;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input, output } = this.#options;
    input.off("data", this.#onData);
    input.off("end", this.#end);
    output.off("resize", this.#onResize);
    process.off("exit", this.#restore);
    this.#readline.close();
    // The prompt stays where it was left; the shell's own begins below it.
    if (this.#isShown) output.write("\n");
    this.#isShown = false;
    input.setRawMode(false);
    input.pause();
    this.#restore();
  }

  /** Raw mode ends with the process by itself, this does not. */
  readonly #restore = (): void => {
    this.#options.output.write(disableBracketedPaste);
  };

  readonly #onData = (data: Buffer): void => {
    for (const piece of this.#filter.push(this.#decoder.write(data))) if (!this.#isClosed) this.#take(piece);
  };

  #take(piece: InputPiece): void {
    const { events, collapsed } = this.#options;
    const wakes = piece.type === "paste" || ![...piece.text].every((key) => keysThatDoNotWake.has(key));
    if (!this.#isShown && wakes) events.onWake();
    if (piece.type === "paste") this.#readline.write(collapsed.collapsePaste(piece.text, piece.isCut));
    else this.#keys.emit("data", piece.text);
    if (!this.#isShown && !this.#isClosed && this.#readline.line !== "") events.onWake();
    if (this.#isShown && this.#readline.line === "" && this.#earlier === "") events.onEmpty();
  }

  readonly #onResize = (): void => {
    if (this.#isShown) this.#gate.emit("resize");
  };

  readonly #end = (): void => {
    if (this.#isClosed) return;
    this.close();
    this.#options.events.onEnd();
  };

  #takeLine(line: string): void {
    // Lines that came in one burst: the first one hid the line, the others are as much meant to be sent.
    if (!this.#isShown && line === "" && this.#earlier === "") return;
    if (continues.test(line)) {
      this.#earlier += `${line.slice(0, -1)}\n`;
      this.#readline.setPrompt(continuationPrompt);
      this.#readline.prompt();
      return;
    }
    const text = this.#options.collapsed.expand(this.#earlier + line);
    this.#earlier = "";
    this.#isShown = false;
    this.#gate.isOpen = false;
    this.#options.events.onSubmit(text);
  }

  /** Called by readline just before a line is handed over, with that line as the newest. */
  #editHistory(history: string[]): void {
    const newest = history[0] ?? "";
    if (!this.#keepsHistory || continues.test(newest)) history.shift();
    else if (this.#earlier !== "") {
      const { collapsed } = this.#options;
      history[0] = collapsed.collapse(collapsed.expand(this.#earlier + newest));
    }
  }

  #interrupt(): void {
    const hadText = this.#readline.line !== "" || this.#earlier !== "";
    this.#earlier = "";
    if (this.#isShown) this.#clear();
    this.#options.events.onInterrupt(hadText);
  }

  #clear(): string {
    const text = this.#readline.line;
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    return text;
  }

  /** Ctrl-Z: the shell gets its terminal back, and we ours when we go on. */
  #suspend(): void {
    const { input, output } = this.#options;
    if (process.platform === "win32") return;
    input.setRawMode(false);
    output.write(disableBracketedPaste);
    process.once("SIGCONT", () => {
      if (this.#isClosed) return;
      input.setRawMode(true);
      output.write(enableBracketedPaste);
      if (this.#isShown) this.#readline.prompt(true);
    });
    process.kill(process.pid, "SIGTSTP");
  }
}

/** What readline draws on: the terminal while the line is shown, nothing otherwise. */
class Gate extends Writable {
  isOpen = false;
  readonly #output: NodeJS.WriteStream;

  constructor(output: NodeJS.WriteStream) {
    super({ decodeStrings: false });
    this.#output = output;
  }

  get columns(): number {
    return this.#output.columns;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOpen) this.#output.write(chunk);
    done();
  }
}
