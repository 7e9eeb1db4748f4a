// What is said about the gateway and signing in to its page, in English.
import type { PhraseContext } from "../../phrase.ts";

export const gatewayPhrases = {
  "gateway.not-running": (_: object, { program }: PhraseContext) =>
    `The gateway is not running. Start it with: ${program} gateway`,
  "gateway.other-version": "The running gateway is of another version. Restart it.",
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
};
