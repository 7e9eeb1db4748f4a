// Takes inline reasoning (<think>, <thinking>, <thought>) and stray control marks out of a model's text, whole or as
// it streams in any chunks. Marks count at the edges of a text; mentioned in the middle of it they survive.
import { createTrimmer } from "./trimmer.ts";

export interface Stripped {
  text: string;
  thinking: string;
}

/** edge: counts at the start and the end only. channel: at the start only. dropped: goes wherever it stands. */
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
