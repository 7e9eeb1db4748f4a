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

export class AnswerText {
  #pending = "";
  #isJoined = false;

  /** What is not settled yet. */
  get pending(): Block {
    return { text: this.#pending, isJoined: this.#isJoined };
  }

  write(chunk: string): Block[] {
    this.#pending += chunk;
    const blocks: Block[] = [];
    for (let cut = findCut(this.#pending); cut !== undefined; cut = findCut(this.#pending)) {
      const { isJoined } = this.pending;
      blocks.push({ text: this.#pending.slice(0, cut.at).trimEnd(), isJoined });
      this.#pending = this.#pending.slice(cut.at);
      this.#isJoined = cut.isInList;
    }
    return blocks.filter(({ text }) => text !== "");
  }

  /** The rest; then another answer may begin. */
  end(): Block[] {
    const block = {
      text: this.#pending.trim() === "" ? "" : this.#pending.trimEnd(),
      isJoined: this.#isJoined,
    };
    this.#pending = "";
    this.#isJoined = false;
    return block.text === "" ? [] : [block];
  }
}

interface Cut {
  at: number;
  isInList: boolean;
}

/** Where the first block ends for certain: before a line that is complete and can only begin another one. */
function findCut(text: string): Cut | undefined {
  const lines = text.split("\n");
  const isList = listItem.test(lines.find((line) => line.trim() !== "") ?? "");
  let at = 0;
  let fence: string | undefined;
  let hasContent = false;
  let isAfterBlank = false;
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const isBlank = line.trim() === "";
    if (fence === undefined && hasContent && !isBlank) {
      const isItem = listItem.test(line);
      if (isAfterBlank && /^\S/.test(line) && !(isList && isItem)) return { at, isInList: false };
      if (isList && isItem && index > mostWaitingLines) return { at, isInList: !isAfterBlank };
    }
    fence = nextFence(fence, line);
    hasContent ||= !isBlank;
    isAfterBlank = isBlank;
    at += line.length + 1;
  }
  return undefined;
}

function nextFence(fence: string | undefined, line: string): string | undefined {
  const mark = fenceMark.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  const closes = mark.startsWith(fence) && line.trim() === mark;
  return closes ? undefined : fence;
}
