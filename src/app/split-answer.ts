// A text as the messages that a channel sends of it: split where it has to be, and where that would be a flood, its
// beginning with all of it as a file.
import type { ChannelCapabilities } from "../bus/channel.ts";
import type { AnswerAddress, Piece } from "../bus/types.ts";
import { splitText } from "../channels/split-text.ts";
import type { Words } from "../i18n/words.ts";
import { takeHead } from "../lib/text.ts";
import { isInHistory } from "../server/socket-channel.ts";
import { keepSentText } from "../storage/blobs/sent-text.ts";

export interface SplitOptions {
  capabilitiesOf(channel: string): ChannelCapabilities | undefined;
  /** Where files are kept that are sent. */
  folder: string;
  words: Words;
}

const mostMessages = 20;
/** Of a channel that sets no limit itself, such as mail. */
const longestMessage = 200_000;
const longestBeginning = 3_000;

export function createSplit({ capabilitiesOf, folder, words }: SplitOptions) {
  return (channel: string, text: string, answer?: AnswerAddress): Piece[] => {
    const capabilities = capabilitiesOf(channel);
    if (capabilities === undefined) return [{ text }];
    // The page and the terminal show the stored conversation: a copy of it would only fill the outbox.
    if (answer !== undefined && isInHistory(channel, answer))
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
