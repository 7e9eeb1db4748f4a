// Why a request was refused: operations, the gateway, sign-in, tokens and jobs, in English.
import type { PhraseContext } from "../../phrase.ts";

export const requestPhrases = {
  "request.unknown": ({ name }: { name: string }) => `There is no operation called "${name}".`,
  "request.bad-params": "The request is not valid.",
  "request.bad-field": ({ quote }: { quote: string }) => `This value is not valid ("${quote}").`,
  "request.owner-only": "Only the owner can do this.",
  "request.not-of-token": ({ operation }: { operation: string }) =>
    `This token may not call "${operation}". Make one that names it.`,
  "request.not-admitted": (_: object, { program }: PhraseContext) =>
    `Sign in first: ${program} web prints a link.`,
  "request.too-large": "This is larger than can be sent at once.",
  "request.failed": "That did not work. The log has the details.",
  "request.cancelled": "Cancelled.",
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
};
