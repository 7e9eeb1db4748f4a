// Sentences that are made where no language is known, or stored: always in English first, and retold to a person by
// `retell`. A parameter at the end of a sentence reaches to the end of its line.
import { nanobot } from "../../lib/program-command.ts";
import { englishCommands } from "./commands.ts";
import { englishGuards } from "./guards.ts";
import { englishWishes } from "./wishes.ts";

export const englishSentences = {
  /** `note` is what the host or the system said: empty, or in brackets. */
  model: {
    authentication: (host: string, note: string) =>
      `${host} did not accept the API key${note}. Check the key: under Settings in the browser, in config.json, or by \`${nanobot} onboard\`.`,
    permission: (host: string, note: string) =>
      `${host} does not allow this with the given key${note}. Check the key's rights, or choose another model.`,
    quota: (host: string, note: string) =>
      `${host} says that credit or quota is used up${note}. Top up the account there, or choose another model.`,
    "rate-limit": (host: string, note: string) =>
      `${host} is limiting the rate of requests${note}. Wait a little and try again.`,
    overloaded: (host: string, note: string) =>
      `${host} is overloaded at the moment${note}. Try again later, or choose another model.`,
    server: (host: string, note: string) =>
      `${host} failed to answer${note}. Try again later; if it stays, look at the host's status page.`,
    connection: (host: string, note: string) =>
      `${host} could not be reached, or broke off${note}. Check the network, the proxy and the apiBase.`,
    timeout: (host: string, note: string) =>
      `${host} took too long to answer${note}. Try again, or choose a faster model.`,
    idle: (host: string, note: string) =>
      `${host} stopped sending in the middle of an answer${note}. Try again.`,
    "context-overflow": (host: string, note: string) =>
      `${host} says that the conversation is too long for the model${note}. Send /new to begin another conversation.`,
    "content-filter": (host: string, note: string) =>
      `${host} refused the content by its filter${note}. Say it differently, or choose another model.`,
    "not-found": (host: string, note: string) =>
      `${host} does not know this model or address${note}. Check the model's name and the apiBase.`,
    "invalid-request": (host: string, note: string) =>
      `${host} rejected the request${note}. Check the model's settings in config.json.`,
    budget: (host: string, note: string) =>
      `${host} has no budget left${note}. Raise it under budget in config.json, or wait.`,
    "unsupported-image": (host: string, note: string) =>
      `${host} does not take this image with this model${note}. Choose a model that sees images.`,
    unknown: (host: string, note: string) =>
      `${host} could not be used${note}. Check the apiBase and the network.`,
  },

  around: {
    budgetUsed: (what: string, how: string) =>
      `The budget for ${what} is used up: ${how}. Raise it under \`budget\` in config.json, or wait.`,
    budgetUnknown: (what: string) =>
      `The budget for ${what} refers to an environment variable that is not set, so nothing may be spent. The doctor command names it.`,
    budgetNear: (what: string, how: string) => `The budget for ${what} is nearly used up: ${how}.`,
    notRunning: (host: string, detail: string) =>
      `Nothing answers at ${host} on this machine (${detail}). Start it, or check its apiBase.`,
    asksToWait: (minutes: string) => `It asks to wait ${minutes} minutes.`,
    asksToWaitHours: (hours: string) => `It asks to wait ${hours} hours.`,
    stillWaiting: (host: string) => `Still waiting for ${host}. Send /stop to give up.`,
    endless: (host: string, what: string) =>
      `${host} sent more than one answer may hold (${what}), so it was cut off. Ask for less at a time, or choose another model.`,
    gaveUp: (host: string, seconds: string) =>
      `${host} gave no answer within ${seconds} s, so the wait was ended. Try again later, or choose another model; agents.defaults.modelPatienceSeconds sets how long it is waited for.`,
    lockedBy: (pid: string, purpose: string, since: string, home: string) =>
      `Another nanobot (process ${pid}, ${purpose}, since ${since}) is at work in ${home}. Wait until it is done, or end that process, and try again.`,
    locked: (home: string) =>
      `Another nanobot is at work in ${home}. Wait until it is done, or end that process, and try again.`,
    spared: (host: string, seconds: string) =>
      `${host} failed several times in a row and is left alone for ${seconds} s.`,
    homeNotWritable: (home: string, code: string) =>
      `The home ${home} cannot be written (${code}). Make it writable, or set NANOBOT_HOME to a folder that is.`,
    notLockable: (path: string, reason: string) =>
      `${path} cannot be locked (${reason}). Remove it and try again.`,
    sessionNotRead: (path: string, code: string) => `Sessions: ${path} cannot be read (${code}). `,
    sessionNotWritten: (path: string, code: string) => `Sessions: ${path} cannot be written (${code}). `,
    sessionNotMoved: (path: string, code: string) => `Sessions: ${path} cannot be taken over (${code}). `,
    sessionNoFile: (path: string) =>
      `${path} is not a file, so the session in it cannot be read. Move it away to begin anew.`,
    fileNotWritten: (path: string, code: string) => `The file ${path} could not be written (${code}). `,
    stateNotOpened: (path: string, reason: string) =>
      `${path} cannot be used (${reason}). Check the disk, its free space and the file's owner.`,
    homeGone:
      "The folder of this assistant was removed or moved away while it ran, so nothing can be stored.",
    staysAsItIs: " What is in it stays as it is.",
    checkOwner: "Check that it and its folder belong to you.",
    freeSpace: "Free some space on the disk and try again.",
    freeQuota: "Free some space within your quota and try again.",
    readOnly: "The disk is read-only: make it writable, or set NANOBOT_HOME to a folder that is.",
    folderInTheWay: "A folder has the name of the file: move it away.",
    brokenLink: "Its link leads nowhere: remove it.",
    tooManyFiles: "Too many files are open: raise the limit (ulimit -n).",
    checkDisk: "Check the disk, or move it away to begin anew.",
  },

  wishes: englishWishes,

  guards: { ...englishGuards, ...englishCommands },
};
