// Why something was not done in a conversation, and why a recording has no words, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const chatPhrases = {
  "chat.empty": "Write something, or attach a file.",
  "chat.not-found": "There is no such conversation.",
  "chat.read-only": "You can only read this conversation: it is closed, or it belongs to a guest.",
  "chat.nothing-said": "Nothing has been said here yet.",
  "chat.busy": "The assistant is working in this conversation. Stop it first.",
  "chat.not-a-beginning": "That is not one of your own messages. Choose one of those.",
  "chat.needs-chat": "Say which conversation you mean.",
  "chat.nothing-to-export": "There is nothing to export yet.",
  "chat.model-given": "The model is set by the program that runs me and cannot be changed here.",
  "trust.minutes": ({ most }: { most: number }) => `Give a number of minutes from 1 to ${most}: /trust 30`,
  "trust.no-such-number": ({ number }: { number: string }) =>
    `There is no number ${number} in the list. /untrust shows it.`,
  "subagents.unknown": ({ id }: { id: string }) =>
    `No helper in this conversation has the id "${id}". /agents lists them.`,
  "upload.piece-missing": "Part of the file is missing. Send it again from the start.",
  "upload.too-large": ({ megabytes }: { megabytes: number }) => `Files can be at most ${megabytes} MB.`,
  "upload.gone": "A file of this message is no longer there. Attach it again.",
  "upload.too-many": "There are too many files. Ask the owner to remove some from the media folder.",
  "upload.not-transcribed": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) => say(reason),
  "terminal.stopped": "Stopped.",
  "terminal.commands-off": "Commands are switched off here (tools.exec.enable).",

  "turn.died": ({ times }: { times: number }) => `It was interrupted ${times} times.`,
  "turn.internal": ({ reason }: { reason: string }) =>
    `Something went wrong inside nanobot (${reason}). The log has the details.`,

  "transcription.off": "Transcription is switched off. Set transcription.enabled to true.",
  "transcription.unknown-host": ({ host }: { host: string }) =>
    `transcription.provider is "${host}", which is not a provider with an OpenAI-compatible API. Choose another one, or set providers.${host}.apiBase.`,
  "transcription.no-key": ({ host, name }: { host: string; name: string }) =>
    `There is no key for ${host}. Set providers.${name}.apiKey, or choose another provider with transcription.provider.`,
  "transcription.no-model": ({ host }: { host: string }) =>
    `${host} has no default model for recordings. Set transcription.model.`,
  "transcription.too-large": ({ megabytes }: { megabytes: number }) =>
    `The recording is larger than ${megabytes} MB (transcription.maxUploadMb).`,
  "transcription.too-long": ({ seconds }: { seconds: number }) =>
    `The recording is longer than ${seconds} seconds (transcription.maxDurationSec).`,
  "transcription.late": ({ host, seconds }: { host: string; seconds: number }) =>
    `${host} did not answer within ${seconds} seconds.`,
  "transcription.gone": "The recording is no longer there.",
  "transcription.silent": "No speech was found in the recording.",
};
