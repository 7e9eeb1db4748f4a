// Why an operation was not run, in English.
import type { PhraseContext } from "../../phrase.ts";

export const requestPhrases = {
  "request.unknown": ({ name }: { name: string }) => `There is no operation called "${name}".`,
  "request.bad-params": "The request is not well formed.",
  "request.bad-field": ({ quote }: { quote: string }) => `This value is not valid ("${quote}").`,
  "request.owner-only": "Only the owner can do this.",
  "request.not-of-token": ({ operation }: { operation: string }) =>
    `This token may not call "${operation}". Make one that names it.`,
  "request.not-admitted": (_: object, { program }: PhraseContext) =>
    `Sign in first: ${program} web prints a link.`,
  "request.too-large": "This is larger than can be sent at once.",
  "request.failed": "That did not work. The log has the details.",
  "request.cancelled": "Cancelled.",
  "request.needs-answer": "This needs an answer to a question, and nobody can be asked here.",
  "request.too-late": "It is too late to undo that.",
};
