// Why something was not done in a conversation, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const chatPhrases = {
  "chat.empty": "Write something, or attach a file.",
  "chat.not-found": "There is no such conversation.",
  "chat.read-only": "You can only read this conversation: it is closed, or it belongs to a guest.",
  "chat.nothing-said": "Nothing has been said here yet.",
  "chat.busy": "The assistant is working in this conversation. Stop it first.",
  "chat.not-a-beginning": "No turn began with that message. Choose one of your own messages.",
  "chat.needs-chat": "Say which conversation you mean.",
  "chat.nothing-to-export": "There is nothing to export yet.",
  "chat.model-given": "The model was given by the program that runs me; it cannot be chosen here.",
  "trust.minutes": ({ most }: { most: number }) => `Give a number of minutes from 1 to ${most}: /trust 30`,
  "trust.no-such-number": ({ number }: { number: string }) =>
    `There is no number ${number} in the list. /untrust shows it.`,
  "subagents.unknown": ({ id }: { id: string }) =>
    `No subagent of this conversation has the id "${id}". /agents lists them.`,
  "upload.piece-missing": "Part of the file is missing. Send it again from the start.",
  "upload.too-large": ({ megabytes }: { megabytes: number }) => `A file can have ${megabytes} MB at most.`,
  "upload.gone": "A file of this message is no longer there. Attach it again.",
  "upload.too-many": "There are too many files. Ask the owner to remove some from the media folder.",
  "upload.not-transcribed": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) => say(reason),
  "terminal.stopped": "Stopped.",
  "terminal.commands-off": "Commands are switched off here (tools.exec.enable).",
};
