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
};
