// Text that arrives in pieces and leaves without white space at its edges: the end is held back until more follows.
// So is half a surrogate pair, since hosts cut streams between the two.
import { toWellFormed } from "../lib/text.ts";

export interface Trimmer {
  push(piece: string): void;
  /** Something that counts only if more text follows it; at the end it goes with the white space. */
  hold(piece: string): void;
  /** What may be shown by now. */
  take(): string;
  /** The end will be gone on with: its white space counts. */
  keepEnd(): void;
  /** Nothing but white space came so far. */
  isEmpty(): boolean;
  /** A blank line before whatever comes next. */
  breakBlock(): void;
}

export function createTrimmer(): Trimmer {
  let ready = "";
  let pending = "";
  let isEmpty = true;

  return {
    push(piece) {
      const body = isEmpty ? piece.trimStart() : piece;
      const kept = withoutOpenPair(body.trimEnd());
      if (kept !== "") {
        ready += pending + kept;
        pending = "";
        isEmpty = false;
      }
      pending += body.slice(kept.length);
    },
    hold(piece) {
      if (!isEmpty) pending += piece;
    },
    take() {
      const text = toWellFormed(ready);
      ready = "";
      return text;
    },
    keepEnd() {
      ready += pending;
      pending = "";
    },
    isEmpty: () => isEmpty,
    breakBlock() {
      if (!isEmpty) pending = "\n\n";
    },
  };
}

function withoutOpenPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
