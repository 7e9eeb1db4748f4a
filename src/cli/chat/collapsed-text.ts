// Long or many-lined text within one line of input: shown as a short mark, sent in full.
import type { Words } from "../../words/words.ts";

const longestShown = 500;

export class CollapsedText {
  readonly #words: Words;
  readonly #hidden = new Map<string, string>();

  constructor(words: Words) {
    this.#words = words;
  }

  /** Text that fits into the line: the first line, and a mark that stands for the rest. */
  collapse(text: string): string {
    const [first = "", ...others] = text.replace(/\n+$/, "").split("\n");
    if (!isShowable(first)) return this.#mark(this.#words.chat.pastedCharacters(text.length), text);
    if (others.length === 0) return first;
    const rest = `\n${others.join("\n")}`;
    return `${first} ${this.#mark(this.#words.chat.pastedLines(others.length), rest)}`;
  }

  /** For a paste; one that was too long says so, to the person and to whoever reads the message. */
  collapsePaste(text: string, isCut: boolean): string {
    return this.collapse(isCut ? `${text}\n${this.#words.chat.pasteCut(text.length)}` : text);
  }

  /** The text that a line stands for. A mark that was edited is ordinary text. */
  expand(line: string): string {
    return line.replaceAll(/( ?)(\[[^[\]]* #\d+\])/g, (whole, space: string, mark: string) => {
      const hidden = this.#hidden.get(mark);
      if (hidden === undefined) return whole;
      return hidden.startsWith("\n") ? hidden : space + hidden;
    });
  }

  #mark(label: string, text: string): string {
    const mark = `[${label} #${this.#hidden.size + 1}]`;
    this.#hidden.set(mark, text);
    return mark;
  }
}

function isShowable(line: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: in the line they would act as keys.
  return line.length <= longestShown && !/[\u0000-\u001f\u007f-\u009f]/.test(line);
}
