// Takes inline reasoning (<think>, <thinking>, <thought>) and stray control marks out of a model's text, whole or as
// it streams in any chunks. Marks count at the edges of a text; mentioned in the middle of it they survive.
import { createTrimmer, type Trimmer } from "./trimmer.ts";

export interface Stripped {
  text: string;
  thinking: string;
}

export interface ThinkFilter {
  push(chunk: string): { text: string; reasoning: string };
  end(): { text: string; reasoning: string };
}

type Mark = "open" | "close" | "empty" | "channel";

const names = ["think", "thinking", "thought"];
const marks = new Map<string, Mark>([
  ...names.map((name): [string, Mark] => [`<${name}>`, "open"]),
  ...names.map((name): [string, Mark] => [`</${name}>`, "close"]),
  ...names.map((name): [string, Mark] => [`<${name}/>`, "empty"]),
  ...names.map((name): [string, Mark] => [`<${name} />`, "empty"]),
  // Left over from the Harmony and Gemma prompt formats.
  ["<channel|>", "channel"],
  ["<|channel|>", "channel"],
]);
const longestMark = Math.max(...[...marks.keys()].map((mark) => mark.length));
const closing = /<\/(?:think|thinking|thought)>/;
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

export function createThinkFilter(): ThinkFilter {
  const text = createTrimmer();
  const reasoning = createTrimmer();
  const scanner = createScanner(text, reasoning);
  const take = () => ({ text: text.take(), reasoning: reasoning.take() });
  return {
    push(chunk) {
      scanner.push(chunk);
      return take();
    },
    end() {
      scanner.end();
      return take();
    },
  };
}

interface Scanner {
  push(chunk: string): void;
  end(): void;
}

/**
 * prose: ordinary text. leading: inside a block at the very start, which is reasoning whether it is closed or not.
 * held: inside a block that began in the middle, which is reasoning only if it is closed.
 */
type State = "prose" | "leading" | "held";

function createScanner(text: Trimmer, reasoning: Trimmer): Scanner {
  let state: State = "prose";
  /** The end of what has come, when it may be the beginning of a mark. */
  let carry = "";
  let held: string[] = [];

  function readProse(input: string, isEnd: boolean): string {
    let from = 0;
    for (;;) {
      const start = input.indexOf("<", from);
      if (start === -1) {
        text.push(input.slice(from));
        return "";
      }
      text.push(input.slice(from, start));
      const ahead = input.slice(start, start + longestMark);
      const found = findMark(ahead, isEnd);
      if (found === "partial") {
        carry = input.slice(start);
        return "";
      }
      from = start + found.length;
      if (found.mark === "open" && !isEnd) {
        state = text.isEmpty() ? "leading" : "held";
        held = [ahead.slice(0, found.length)];
        return input.slice(from);
      }
      takeMark(found, ahead.slice(0, found.length));
    }
  }

  function takeMark({ mark }: Found, literal: string): void {
    if (mark === "dropped") return;
    // At the very end it is dropped with the white space around it; before further text it was only mentioned.
    if (mark === "close" || mark === "empty") text.hold(literal);
    else if (mark !== "channel" || !text.isEmpty()) text.push(literal);
  }

  function readBlock(input: string): string {
    const end = closing.exec(input);
    if (end === null) {
      const kept = keepPartial(input);
      keep(input.slice(0, input.length - kept.length));
      carry = kept;
      return "";
    }
    keep(input.slice(0, end.index));
    if (state === "held") for (const piece of held.slice(1)) reasoning.push(piece);
    reasoning.breakBlock();
    held = [];
    state = "prose";
    return input.slice(end.index + end[0].length);
  }

  function keep(piece: string): void {
    if (state === "leading") reasoning.push(piece);
    else held.push(piece);
  }

  return {
    push(chunk) {
      let input = carry + chunk;
      carry = "";
      while (input !== "") input = state === "prose" ? readProse(input, false) : readBlock(input);
    },
    end() {
      const rest = carry;
      carry = "";
      if (state !== "leading") readProse(state === "held" ? held.join("") + rest : rest, true);
      else if (!cutTag.test(rest)) reasoning.push(rest);
    },
  };
}

interface Found {
  /** `dropped`: marks that go wherever they stand. */
  mark?: Mark | "dropped";
  length: number;
}

/** What stands at the `<` that `ahead` begins with; "partial" when only more text can tell. */
function findMark(ahead: string, isEnd: boolean): Found | "partial" {
  for (const [literal, mark] of marks) if (ahead.startsWith(literal)) return { mark, length: literal.length };
  if (isPartial(ahead)) {
    if (!isEnd) return "partial";
    if (cutTag.test(ahead)) return { mark: "dropped", length: ahead.length };
    if (cutChannel.test(ahead)) return { mark: "channel", length: ahead.length };
  }
  const broken = malformed.exec(ahead);
  return broken === null ? { length: 1 } : { mark: "dropped", length: broken[0].length };
}

function isPartial(ahead: string): boolean {
  if (ahead.length >= longestMark) return false;
  for (const literal of marks.keys()) if (literal.startsWith(ahead)) return true;
  return false;
}

function keepPartial(input: string): string {
  const start = input.lastIndexOf("<");
  if (start === -1) return "";
  const tail = input.slice(start);
  return isPartial(tail) ? tail : "";
}
