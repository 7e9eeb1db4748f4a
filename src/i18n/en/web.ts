// What is said about the page in the browser, in the terminal.
import { nanobot } from "../../lib/program-command.ts";
export const englishWeb = {
  usage: {
    command: "print a link that opens the assistant in a browser",
    guest: "for a guest of this name, who sees only own conversations",
    open: "open it in the browser of this machine",
    signOut: "sign all browsers out, or only those of the guest",
    topic: "tokens for programs, instead of a link",
    tokenAction: "what to do with tokens (default: list)",
    tokenWords: "name of the token; for add also the operations that it may call",
  },
  token: {
    none: "There are no tokens.",
    added: (name: string, token: string) => `Token "${name}", shown only this once: ${token}`,
    mayCall: (operations: string) => `It may call: ${operations}`,
    row: (name: string, operations: string, created: string) => `${name}: ${operations} (created ${created})`,
    removed: (name: string) => `Token "${name}" is removed and no longer accepted.`,
    needsName: (command: string) => `Which token? ${command} <name>`,
    needsOperations: (command: string) =>
      `Which name, and which operations may it call? For example: ${command} calendar jobs.list jobs.add`,
  },
  link: (url: string) => `Open this in your browser: ${url}`,
  guestLink: (person: string, url: string) => `For ${person}, in a browser: ${url}`,
  elsewhere: (url: string) => `From elsewhere: ${url}`,
  once: "The link works once, within ten minutes.",
  signedOut: (count: number) => `${count === 1 ? "1 browser is" : `${count} browsers are`} signed out.`,
  hint: `For a link that opens it in a browser: ${nanobot} web`,
  notOpened: (program: string) =>
    `${program} could not open a browser here. Run ${nanobot} web without --open, and copy the link.`,
};
