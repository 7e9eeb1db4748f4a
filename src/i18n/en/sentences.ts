// Sentences that are made where no language is known, or stored: always in English first, and retold to a person by
// `retell`. A parameter at the end of a sentence reaches to the end of its line.
import { englishWishes } from "./wishes.ts";

export const englishSentences = {
  around: {
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
};
