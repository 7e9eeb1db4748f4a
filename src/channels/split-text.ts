// Cuts a Markdown text into pieces that a platform takes: at a blank line where it can, then at a line, then at a
// space. A code block that is cut is closed in one piece and opened again in the next.

/** Pieces are never blank and never longer than `most`; together they say all of the text. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  let opening = "";
  while (rest !== "") {
    const whole = opening + rest;
    if (whole.length <= most) {
      pieces.push(whole);
      break;
    }
    const room = most - opening.length - longestFence;
    const cut = findCut(rest, Math.max(1, room));
    const piece = opening + rest.slice(0, cut).trimEnd();
    rest = rest.slice(cut).replace(/^\n+/, "").trimEnd();
    const fence = findOpenFence(piece);
    if (piece.trim() !== opening.trim()) pieces.push(fence === undefined ? piece : `${piece}\n${fence.mark}`);
    opening = fence === undefined ? "" : `${fence.line}\n`;
    if (opening.length > most / 2) opening = `${fence?.mark}\n`;
    if (opening === "") rest = rest.trimStart();
  }
  return pieces;
}

/** A closing fence and its line break. */
const longestFence = 8;

/** A cut in the first half would make many small pieces: then the next worse place is better. */
function findCut(text: string, room: number): number {
  const window = text.slice(0, room);
  for (const mark of ["\n\n", "\n", " "]) {
    const at = window.lastIndexOf(mark);
    if (at > room / 2) return at + mark.length;
  }
  // Never between the halves of a surrogate pair.
  const last = text.charCodeAt(room - 1);
  return last >= 0xd800 && last <= 0xdbff && room > 1 ? room - 1 : room;
}

interface Fence {
  mark: string;
  line: string;
}

/** The code block that is still open at the end. */
function findOpenFence(text: string): Fence | undefined {
  let open: Fence | undefined;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,6}|~{3,6})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = { mark, line: line.trim() };
    else if (mark.startsWith(open.mark) && line.trim() === mark) open = undefined;
  }
  return open;
}
