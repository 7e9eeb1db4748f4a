// An answer while it arrives, cut into blocks of Markdown that later text cannot change: those can be printed for good.
// However the text is cut into chunks, the blocks are the same.

export interface Block {
  text: string;
  /** It goes on where the last one ended, such as a list; no empty line between them. */
  isJoined: boolean;
}

const fenceMark = /^\s*(`{3,}|~{3,})/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])\s/;
/** A list that grows longer than this is printed item by item. */
const mostWaitingLines = 12;

/** The complete lines of a block that may go on. */
interface Begun {
  text: string;
  lines: number;
  hasContent: boolean;
  isList: boolean;
  isAfterBlank: boolean;
  fence: string | undefined;
}

const nothing: Begun = {
  text: "",
  lines: 0,
  hasContent: false,
  isList: false,
  isAfterBlank: false,
  fence: undefined,
};

/** Looks at each line once, when it is complete: an answer may be one block of many megabytes. */
export class AnswerText {
  #begun = nothing;
  /** The line that is not complete yet. */
  #line = "";
  #isJoined = false;

  /** What is not settled yet. */
  get pending(): Block {
    return { text: this.#begun.text + this.#line, isJoined: this.#isJoined };
  }

  write(chunk: string): Block[] {
    const [first = "", ...lines] = chunk.split("\n");
    this.#line += first;
    return lines.flatMap((line) => {
      const settled = this.#add(this.#line);
      this.#line = line;
      return settled;
    });
  }

  /** The rest; then another answer may begin. */
  end(): Block[] {
    const { text, isJoined } = this.pending;
    this.#begun = nothing;
    this.#line = "";
    this.#isJoined = false;
    return text.trim() === "" ? [] : [{ text: text.trimEnd(), isJoined }];
  }

  /** A complete line; gives the block that it ends because it can only begin another one. */
  #add(line: string): Block[] {
    const isInList = goesOnInList(this.#begun, line);
    const isEnd = isInList !== undefined;
    const settled = isEnd ? [{ text: this.#begun.text.trimEnd(), isJoined: this.#isJoined }] : [];
    if (isEnd) this.#isJoined = isInList;
    this.#begun = addLine(isEnd ? nothing : this.#begun, line);
    return settled;
  }
}

function addLine({ text, lines, hasContent, isList, fence }: Begun, line: string): Begun {
  const isBlank = line.trim() === "";
  return {
    text: `${text}${line}\n`,
    lines: lines + 1,
    hasContent: hasContent || !isBlank,
    isList: hasContent ? isList : listItem.test(line),
    isAfterBlank: isBlank,
    fence: nextFence(fence, line),
  };
}

/** Whether the block that a line begins is the next item of a list; undefined when it begins none for certain. */
function goesOnInList(begun: Begun, line: string): boolean | undefined {
  const { lines, hasContent, isList, isAfterBlank, fence } = begun;
  if (fence !== undefined || !hasContent || line.trim() === "") return undefined;
  const isItem = isList && listItem.test(line);
  if (isAfterBlank && /^\S/.test(line) && !isItem) return false;
  return isItem && lines > mostWaitingLines ? !isAfterBlank : undefined;
}

function nextFence(fence: string | undefined, line: string): string | undefined {
  const mark = fenceMark.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  const closes = mark.startsWith(fence) && line.trim() === mark;
  return closes ? undefined : fence;
}
