// Sentences that are made where no language is known, or stored: always in English first, and retold to a person by
// `retell`. A parameter at the end of a sentence reaches to the end of its line.
import { englishCommands } from "./commands.ts";
import { englishGuards } from "./guards.ts";
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
    stateUnreadable: (code: string) => `cannot be read (${code}); check its owner and permissions`,
    stateNotOpened: (path: string, reason: string) =>
      `${path} cannot be used (${reason}). Check the disk, its free space and the file's owner.`,
    homeGone:
      "The folder of this assistant was removed or moved away while it ran, so nothing can be stored.",
    stateLeft: " It was left as it is.",
    stateTooLarge: (path: string, most: string) =>
      `${path} would become larger than ${most} MB. Nothing was changed: remove some of what it holds first.`,
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

  config: {
    lastGood: (config: string, copy: string) =>
      `${config} cannot be used as it is; nanobot goes on with the last good copy, ${copy}`,
    notKept: (copy: string, code: string) =>
      `the copy of the config, ${copy}, could not be written (${code})`,
    unwritable: (config: string, code: string) =>
      `${config} could not be written (${code}); check the folder's owner and free space`,
    notMoved: (code: string, folder: string) =>
      `could not be moved or written (${code}); check the owner of ${folder}`,
    moved: (to: string, copy: string) => `was moved to ${to}; a copy is kept at ${copy}`,
    replayed: (jobs: string, kept: string) =>
      `held jobs of the Python original that were not taken over yet (${jobs}); they are planned now, and the file is kept as ${kept}`,
    pythonGateway: (pid: string) =>
      `a gateway of the Python original is running on this home (process ${pid}). Stop it with its own \`nanobot gateway stop\`, or both will answer and write the same files`,
    unreadable: (code: string) => `cannot be read (${code}); check its owner and permissions`,
    invalidJson: (line: string, column: string) => `is not valid JSON, line ${line}, column ${column}: `,
    noComments: "JSON has no comments; remove this one",
    straightQuotes: 'text stands in straight double quotes (")',
    commaTooMany: "there is a comma or colon too many before it",
    textNotClosed: "a text is not closed on its line, or holds a wrong escape",
    colonMissing: "a colon is missing after the key",
    commaMissing: "a comma or a closing bracket is missing before it",
    afterEnd: "there is something after the end",
    keyExpected: "a key in double quotes is expected",
    valueExpected: "a value is expected",
    empty: "the file is empty",
    endsEarly: (bracket: string) => `the file ends too early; a ${bracket} is missing`,
    notUtf8: "is not UTF-8 text; save it as UTF-8",
    notAnObject: "must hold one JSON object, in { }",
    unknownKeyNear: (nearest: string) =>
      `is not a key that nanobot knows and has no effect; did you mean ${nearest}?`,
    unknownKey: "is not a key that nanobot knows and has no effect",
    doubleKey: (name: string) => `is given twice; ${name} is used, remove the other`,
    countsAsUnset: (variable: string) =>
      `holds a default of the Python original that is less safe, and counts as not set. If you do want it, remove it, start once, and write it again, or set ${variable}`,
    variableEmpty: (name: string) =>
      `refers to the environment variable ${name}, which is not set; it counts as empty`,
    variableNoBudget: (name: string) =>
      `refers to the environment variable ${name}, which is not set; nothing may be spent until it is`,
    variableNoCommands: (name: string) =>
      `refers to the environment variable ${name}, which is not set; commands are off until it is`,
    variableMissing: (name: string) =>
      `refers to the environment variable ${name}, which is not set; set it, or write the value here`,
    variableNoJson: (name: string) => `the environment variable ${name} must hold JSON`,
    variableLeftOut: "; it is left out",
    notAPreset: "must be the name of an entry in modelPresets",
    noTimezone: "must be an IANA time zone such as Europe/Berlin or Asia/Shanghai",
    oneOf: (values: string) => `must be one of: ${values}`,
    notEmpty: "must not be empty",
    atLeast: (least: string) => `must be at least ${least}`,
    atMost: (most: string) => `must be at most ${most}`,
    usesDefault: "; its default is used",
    mustBe: (wanted: string, given: string) => `must be ${wanted}, not ${given}`,
    missing: (wanted: string) => `${wanted} is missing`,
    moreLikeThese: (count: string) => `and ${count} more problems like these`,
  },

  wishes: englishWishes,

  guards: { ...englishGuards, ...englishCommands },
};
