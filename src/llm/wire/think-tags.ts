// Separates inline reasoning (<think>, <thinking>, <thought>) and stray control marks from a model's text, whole or streamed
// in any chunks. Marks count at the edges of a text; mentioned in the middle of it they survive.
import { toWellFormed } from "../../lib/text.ts";

export interface Stripped {
  text: string;
  thinking: string;
}

/** edge: counts at the start and the end only. channel: at the start only. dropped: removed everywhere. */
type Mark = "open" | "edge" | "channel" | "dropped";

const names = ["think", "thinking", "thought"];
const marks = new Map<string, Mark>([
  ...names.map((name): [string, Mark] => [`<${name}>`, "open"]),
  ...names.flatMap((name) => [`</${name}>`, `<${name}/>`, `<${name} />`]).map(toEdge),
  // Left over from the Harmony and Gemma prompt formats.
  ["<channel|>", "channel"],
  ["<|channel|>", "channel"],
]);
const closing = /^<\/(?:think|thinking|thought)>/;
/** An opening tag that lost its `>`: "<think我来" is a tag, "<thinker" and "<think-tank" are not. */
const malformed = /^<(?:thinking|thought|think)(?![A-Za-z0-9_\-:>/])/;
/** What a text that was cut off may end with; shorter beginnings could be anything. */
const cutTag = /^<\/?(?:thi|tho)/;
const cutChannel = /^<\|?cha/;

export function stripThinking(text: string): Stripped {
  const filter = createThinkFilter();
  const first = filter.push(text);
  const last = filter.end();
  return { text: first.text + last.text, thinking: first.reasoning + last.reasoning };
}

/** Reads the text in pieces that begin with `<`, the only place where a mark can begin. */
export function createThinkFilter() {
  const text = createTrimmer();
  const reasoning = createTrimmer();
  /** Inside a block. At the very start of a text it is reasoning, closed or not; in the middle only if it is closed. */
  let block: "leading" | "held" | undefined;
  /** The pieces of a block in the middle, its opening tag first. */
  let held: string[] = [];
  /** The end of what has come, when it may be the beginning of a mark. */
  let carry = "";

  function readProse(piece: string, mayOpen: boolean): void {
    const { mark, literal } = findMark(piece);
    const rest = piece.slice(literal.length);
    if (mark === "open" && mayOpen) {
      block = text.isEmpty() ? "leading" : "held";
      if (block === "held") held = [literal];
      keep(rest);
      return;
    }
    // At the very end it is dropped with the white space around it; before further text it was only mentioned.
    if (mark === "edge") text.hold(literal);
    else if (mark !== "dropped" && (mark !== "channel" || !text.isEmpty())) text.push(literal);
    text.push(rest);
  }

  function readBlock(piece: string): void {
    const [end] = closing.exec(piece) ?? [];
    if (end === undefined) {
      keep(piece);
      return;
    }
    for (const thought of held.slice(1)) reasoning.push(thought);
    reasoning.breakBlock();
    held = [];
    block = undefined;
    text.push(piece.slice(end.length));
  }

  function keep(piece: string): void {
    if (block === "leading") reasoning.push(piece);
    else held.push(piece);
  }

  function readRest(): void {
    if (block === "leading") {
      if (!cutTag.test(carry)) reasoning.push(carry);
      return;
    }
    for (const piece of held) readProse(piece, false);
    const isCut = cutTag.test(carry) || (cutChannel.test(carry) && text.isEmpty());
    if (!isCut) text.push(carry);
  }

  const take = () => ({ text: text.take(), reasoning: reasoning.take() });
  return {
    push(chunk: string) {
      const pieces = (carry + chunk).split(/(?=<)/);
      carry = isBeginning(pieces.at(-1)) ? (pieces.pop() ?? "") : "";
      for (const piece of pieces) {
        if (block === undefined) readProse(piece, true);
        else readBlock(piece);
      }
      return take();
    },
    end(isCut = false) {
      readRest();
      if (isCut) text.keepEnd();
      return take();
    },
  };
}

function toEdge(literal: string): [string, Mark] {
  return [literal, "edge"];
}

/** What the piece begins with. */
function findMark(piece: string): { literal: string; mark?: Mark } {
  for (const [literal, mark] of marks) if (piece.startsWith(literal)) return { literal, mark };
  const [literal] = malformed.exec(piece) ?? [];
  return literal === undefined ? { literal: "" } : { literal, mark: "dropped" };
}

function isBeginning(tail = ""): boolean {
  return tail !== "" && !marks.has(tail) && [...marks.keys()].some((mark) => mark.startsWith(tail));
}

/**
 * Text that arrives in pieces and leaves without white space at its edges: the end is held back until more follows. So is
 * half a surrogate pair, since hosts cut streams between the two.
 */
interface Trimmer {
  push(piece: string): void;
  /** Something that counts only if more text follows it; at the end it goes with the white space. */
  hold(piece: string): void;
  /** What may be shown now. */
  take(): string;
  /** The text will be continued: the white space at its end counts. */
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
