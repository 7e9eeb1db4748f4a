// Tells typed keys from pasted text in what a terminal sends (bracketed paste): a pasted newline is no Enter.

export type InputPiece = { type: "keys"; text: string } | { type: "paste"; text: string; isCut: boolean };

export const enableBracketedPaste = "\u001b[?2004h";
export const disableBracketedPaste = "\u001b[?2004l";

const start = "\u001b[200~";
const end = "\u001b[201~";
export const longestPaste = 1_000_000;

export class PasteFilter {
  #pending = "";
  #paste: string | undefined;
  #isCut = false;

  /** Pieces in their order; a paste appears when it has ended. */
  push(chunk: string): InputPiece[] {
    const pieces: InputPiece[] = [];
    this.#pending += chunk;
    while (this.#pending !== "") {
      const isPasting = this.#paste !== undefined;
      const mark = isPasting ? end : start;
      const found = this.#pending.indexOf(mark);
      const until = found === -1 ? this.#pending.length - halfMark(this.#pending, mark) : found;
      this.#take(this.#pending.slice(0, until), pieces);
      this.#pending = this.#pending.slice(found === -1 ? until : found + mark.length);
      if (found === -1) break;
      if (isPasting) pieces.push({ type: "paste", text: toNewlines(this.#paste ?? ""), isCut: this.#isCut });
      this.#paste = isPasting ? undefined : "";
      this.#isCut = false;
    }
    return pieces;
  }

  #take(text: string, pieces: InputPiece[]): void {
    if (this.#paste === undefined) {
      if (text !== "") pieces.push({ type: "keys", text });
      return;
    }
    const room = longestPaste - this.#paste.length;
    this.#isCut ||= text.length > room;
    this.#paste += text.slice(0, room);
  }
}

/** Length of a beginning of the mark at the text's end. A lone escape is a key and is not waited for. */
function halfMark(text: string, mark: string): number {
  for (let length = mark.length - 1; length > 1; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

/** Terminals send pasted newlines as carriage returns. */
function toNewlines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").toWellFormed();
}
