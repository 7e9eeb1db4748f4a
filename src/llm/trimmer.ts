// Text that arrives in pieces and leaves without white space at its edges: the end is held back until more follows.

export interface Trimmer {
  push(piece: string): void;
  /** Something that counts only if more text follows it; at the end it goes with the white space. */
  hold(piece: string): void;
  /** What may be shown by now. */
  take(): string;
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
      const kept = body.trimEnd();
      if (kept !== "") {
        ready += pending + kept;
        pending = "";
        isEmpty = false;
      }
      if (!isEmpty) pending += body.slice(kept.length);
    },
    hold(piece) {
      if (!isEmpty) pending += piece;
    },
    take() {
      const text = ready;
      ready = "";
      return text;
    },
    isEmpty: () => isEmpty,
    breakBlock() {
      if (!isEmpty) pending = "\n\n";
    },
  };
}
