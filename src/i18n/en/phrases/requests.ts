// Why a request was refused (operations, the gateway, sign-in, tokens, jobs), and what a conversation says, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

/** Why what a host sent as an image is not used. */
export type ImageProblem = "no-image" | "too-large" | "address";

const imageProblems: Record<ImageProblem, string> = {
  "no-image": "it is not a PNG, JPEG, WebP or GIF file",
  "too-large": "it is larger than 20 MB",
  address: "its address could not be read, or is not public",
};

export const requestPhrases = {
  "request.unknown": ({ name }: { name: string }) => `There is no operation called "${name}".`,
  "request.bad-params": "The request is not valid.",
  "request.bad-field": ({ quote }: { quote: string }) => `This value is not valid ("${quote}").`,
  "request.owner-only": "Only the owner can do this.",
  "request.not-of-token": ({ operation }: { operation: string }) =>
    `This token may not call "${operation}". Make one that names it.`,
  "request.too-large": "This is larger than can be sent at once.",
  "request.failed": "That did not work. The log has the details.",
  "request.needs-answer": "This needs an answer to a question, and no one can be asked here.",
  "request.too-late": "It is too late to undo that.",

  "gateway.not-running": (_: object, { program }: PhraseContext) =>
    `The gateway is not running. Start it with: ${program} gateway`,
  "gateway.other-version": "The running gateway has another version. Restart it.",
  "gateway.not-let-in": "The running gateway did not let this terminal in. Restart it.",
  "gateway.closed": ({ reason }: { reason: string }) => `The gateway closed the connection (${reason}).`,
  "gateway.silent": "The gateway has just stopped or is not answering. Try again.",
  "gateway.cannot-restart": "This gateway cannot restart itself. Stop it and start it again.",
  "web.bad-guest-name": (_: object, { program }: PhraseContext) =>
    `A guest's name has letters, digits, - and _, and is not "owner": ${program} web --guest anna`,
  "tokens.bad-name": "A token's name has up to 64 letters, digits, -, _ and dots.",
  "tokens.exists": ({ name }: { name: string }, { program }: PhraseContext) =>
    `There is already a token "${name}". Choose another name, or remove it first: ${program} web token remove ${name}`,
  "tokens.not-found": ({ name }: { name: string }, { program }: PhraseContext) =>
    `There is no token "${name}". See: ${program} web token list`,
  "tokens.unknown-operation": ({ operation, nearest }: { operation: string; nearest?: string }) =>
    `There is no operation "${operation}". ${nearest === undefined ? "See docs/api.md for the list." : `Did you mean "${nearest}"?`}`,
  "tokens.not-for-programs": ({ operation }: { operation: string }) =>
    `A token cannot be given "${operation}": a program could use it to get more access.`,

  "triggers.bad-name": "A trigger's name has up to 64 letters, digits, - and _.",
  "triggers.short-secret": "The secret needs 16 characters or more.",
  "triggers.exists": ({ name }: { name: string }) =>
    `There is already a trigger "${name}". Choose another name, or remove it first.`,
  "triggers.not-found": ({ name }: { name: string }, { program }: PhraseContext) =>
    `There is no trigger "${name}". See: ${program} triggers`,
  "triggers.too-many": ({ most }: { most: number }) =>
    `There are ${most} triggers already. Remove some first.`,

  "jobs.time-over": "That time has passed. Choose one in the future.",
  "jobs.too-often": "The interval must be a second or more.",
  "jobs.bad-zone": ({ zone }: { zone: string }) =>
    `"${zone}" is not a time zone. Use an IANA name such as Asia/Shanghai.`,
  "jobs.never": ({ expression }: { expression: string }) =>
    `"${expression}" never comes. Choose another time.`,
  "jobs.bad-expression": ({ expression, quote }: { expression: string; quote: string }) =>
    `"${expression}" is not a cron expression of five fields, such as "0 9 * * 1-5" ("${quote}").`,
  "jobs.bad-time": "Give a date and a time, such as 2026-08-01T09:00.",
  "jobs.needs-message": "Say what should be done then.",
  "jobs.too-many": ({ most }: { most: number }) => `There are ${most} jobs already. Remove some first.`,
  "jobs.over": ({ id }: { id: string }) => `The time of ${id} has passed.`,
  "jobs.built-in": ({ id }: { id: string }) => `${id} is built in and cannot be changed.`,
  "jobs.built-in-runs": ({ id }: { id: string }) => `${id} is built in and runs on its own.`,
  "jobs.not-found": ({ id }: { id: string }) => `There is no job "${id}". List the jobs to see their ids.`,
  "jobs.needs-chat": "Say which chat should get the answer.",
  "jobs.missed": "nanobot was not running at that time.",
  "jobs.overlap": "The previous run was not finished yet.",
  "jobs.interrupted": "nanobot was stopped before it was done.",
  "jobs.turn-failed": "It could not be finished. Its chat says why.",
  "jobs.quoted": ({ quote }: { quote: string }) => `"${quote}"`,
  "jobs.other-chat": "You can plan something for this chat only.",

  "goals.one-at-a-time": "This chat has a goal already. Stop it with /goal stop, or start a new chat.",
  "goals.too-many": ({ most }: { most: number }) => `There are ${most} goals already. Stop some first.`,
  "goals.over": ({ name }: { name: string }) => `"${name}" is not running any more.`,
  "goals.not-found": ({ id }: { id: string }) => `There is no goal "${id}". /goal lists them.`,
  "goals.needs-chat": "Start a goal in a chat, with /goal.",
  "goals.needs-text": "Say what should be done.",

  "chat.empty": "Write something, or attach a file.",
  "chat.not-found": "There is no such conversation.",
  "chat.read-only": "You can only read this conversation: it is closed, or it belongs to a guest.",
  "chat.nothing-said": "Nothing has been said here yet.",
  "chat.no-title": "The model gave no title. Write one yourself, or try again.",
  "chat.busy": "The assistant is working in this conversation. Stop it first.",
  "chat.not-a-beginning": "That is not one of your own messages. Choose one of those.",
  "chat.needs-chat": "Say which conversation you mean.",
  "chat.nothing-to-export": "There is nothing to export yet.",
  "chat.model-given": "The model is set by the program that runs me and cannot be changed here.",
  "trust.minutes": ({ most }: { most: number }) => `Give a number of minutes from 1 to ${most}: /trust 30`,
  "trust.no-such-number": ({ number }: { number: string }) =>
    `There is no number ${number} in the list. /untrust shows it.`,
  "subagents.unknown": ({ id }: { id: string }) =>
    `There is no helper "${id}" in this conversation. /agents lists them.`,
  "upload.piece-missing": "Part of the file is missing. Send it again from the start.",
  "upload.too-large": ({ megabytes }: { megabytes: number }) => `Files can be at most ${megabytes} MB.`,
  "upload.gone": "A file of this message is no longer there. Attach it again.",
  "upload.too-many": "There are too many files. Ask the owner to remove some from the media folder.",
  "upload.not-transcribed": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) => say(reason),
  "terminal.stopped": "Stopped.",
  "terminal.commands-off": "Commands are turned off in the settings.",

  "turn.died": ({ times }: { times: number }) => `It was interrupted ${times} times.`,
  "turn.internal": ({ reason }: { reason: string }) =>
    `Something went wrong inside nanobot (${reason}). The log has the details.`,

  "images.no-host":
    "No configured provider is known to make images. Set tools.imageGeneration.provider and model.",
  "images.unknown-host": ({ host }: { host: string }) =>
    `tools.imageGeneration.provider is "${host}", which is not a provider with an OpenAI-compatible API. Choose another one, or set providers.${host}.apiBase.`,
  "images.no-key": ({ host, name }: { host: string; name: string }) =>
    `There is no key for ${host}. Set providers.${name}.apiKey, or choose another provider with tools.imageGeneration.provider.`,
  "images.no-model": ({ host }: { host: string }) =>
    `${host} has no default image model. Set tools.imageGeneration.model.`,
  "images.too-many": ({ most }: { most: number }) =>
    `One answer may make at most ${most} images (tools.imageGeneration.maxImagesPerTurn).`,
  "images.broken": ({ host, problem }: { host: string; problem: ImageProblem }) =>
    `${host} sent an image that cannot be used: ${imageProblems[problem]}.`,
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
