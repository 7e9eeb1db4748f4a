// Cuts a Markdown text into pieces that a platform takes: at a blank line where it can, then at a line, then at a
// space. A code block that is cut is closed in one piece and opened again in the next.
import type { ChannelCapabilities } from "../bus/channel.ts";
import type { AnswerAddress, Piece } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import { takeHead } from "../lib/text.ts";
import { keepSentText } from "../storage/blobs/content-files.ts";

export interface SplitOptions {
  capabilitiesOf(channel: string): ChannelCapabilities | undefined;
  /** Where files are kept that are sent. */
  folder: string;
  words: Words;
  /** Whether a person who opens the chat reads the answer in the stored conversation, whatever is sent of it. */
  isInHistory?(channel: string, answer: AnswerAddress): boolean;
}

const mostMessages = 20;
/** Of a channel that sets no limit itself, such as mail. */
const longestMessage = 200_000;
const longestBeginning = 3_000;

/** An answer as the messages of a channel; a very long one as its beginning and a file. */
export function createSplit({ capabilitiesOf, folder, words, isInHistory }: SplitOptions) {
  return (channel: string, text: string, answer?: AnswerAddress): Piece[] => {
    const capabilities = capabilitiesOf(channel);
    if (capabilities === undefined) return [{ text }];
    // The page and the terminal show the stored conversation: a copy of it would only fill the outbox.
    if (answer !== undefined && isInHistory?.(channel, answer) === true)
      return [{ text: takeHead(text, longestMessage) }];
    const { maxTextLength = longestMessage, media } = capabilities;
    const isSplit = capabilities.maxTextLength !== undefined;
    if (text.length <= (isSplit ? mostMessages : 1) * maxTextLength) {
      const pieces = isSplit ? splitText(text, maxTextLength) : [text];
      if (pieces.length <= mostMessages) return pieces.map((piece) => ({ text: piece }));
    }
    const note = (media ? words.gateway.answerInFile : words.gateway.answerInChat)(String(text.length));
    const beginning = splitText(
      takeHead(text, Math.min(longestBeginning, 10 * maxTextLength)),
      longestBeginning,
    );
    const shown = splitText(`${beginning[0]} …\n\n${note}`, maxTextLength);
    const file = media ? [keepSentText(folder, text)] : [];
    return shown.map((piece, index) => ({ text: piece, ...(index === shown.length - 1 && { media: file }) }));
  };
}

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
