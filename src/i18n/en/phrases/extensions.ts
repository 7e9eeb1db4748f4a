// Custom tools and channels, and MCP servers: what they bring, or why they are not used, in English.
import type { PhraseContext } from "../../phrase.ts";

export type ExtensionKind = "tools" | "channels";

/** `subject`: a file, a name, an import or a number of seconds. */
export interface OwnSubject {
  of: ExtensionKind;
  subject: string;
}

export const extensionPhrases = {
  "extensions.off": "switched off",
  "extensions.unseen": "not connected yet",
  "extensions.offered": ({ count, seen }: { count: number; seen: string }) =>
    `${count} ${count === 1 ? "tool" : "tools"}, seen ${seen}`,
  "extensions.tools": ({ names }: { names: string[] }) => names.join(", "),
  "extensions.unknown": (
    { of, name, nearest }: { of: ExtensionKind; name: string; nearest?: string },
    { program }: PhraseContext,
  ) =>
    `There is no file "${name}" among your ${of === "tools" ? "tools" : "channels"}. ${nearest === undefined ? `See: ${program} ${of} list` : `Did you mean "${nearest}"?`}`,
  "extensions.allow": ({ file }: { file: string }) => `Allow "${file}"?`,
  "extensions.not-allowed": "It was not allowed.",
  "extensions.new": ({ of, subject }: OwnSubject, { program }: PhraseContext) =>
    `Not used yet. Read it, then allow it: ${program} ${of} allow ${subject}`,
  "extensions.changed": ({ of, subject }: OwnSubject, { program }: PhraseContext) =>
    `Not used, because it changed since you allowed it. Read it, then allow it again: ${program} ${of} allow ${subject}`,
  "extensions.not-a-file": ({ subject }: OwnSubject) =>
    `${subject} is a link or not a file. Put the file itself there.`,
  "extensions.owner": ({ subject }: OwnSubject) =>
    `${subject} belongs to another user. Make it yours with chown.`,
  "extensions.writable": ({ subject }: OwnSubject) =>
    `Other users can change ${subject}. Stop that: chmod go-w ${subject}`,
  "extensions.missing": ({ subject }: OwnSubject) =>
    `It imports ${subject}, which does not exist. Write the whole name, such as ./x.ts.`,
  "extensions.unreadable": ({ subject }: OwnSubject) => `${subject} cannot be read. Check its permissions.`,
  "extensions.ending": ({ subject }: OwnSubject) =>
    `It imports ${subject}. Only .ts, .mts, .js, .mjs and .json work.`,
  "extensions.too-large": ({ subject }: OwnSubject) => `With ${subject}, it is more than 50 files or 2 MB.`,
  "extensions.outside": ({ subject }: OwnSubject) =>
    `It imports ${subject}, which is outside of the folder. Copy that file into it.`,
  "extensions.package": ({ subject }: OwnSubject) =>
    `It imports the package ${subject}. Only "nanobot", Node's own modules and files of the folder work.`,
  "extensions.in-workspace": ({ subject }: OwnSubject) =>
    `${subject} is inside of the workspace, where the assistant could change it. Choose another workspace.`,
  "extensions.failed": ({ quote }: { quote: string }) => `It could not be loaded: "${quote}"`,
  "extensions.too-slow": ({ subject }: OwnSubject) =>
    `It could not be loaded: it was not done after ${subject} seconds.`,
  "extensions.not-covered": ({ subject }: OwnSubject) =>
    `It could not be loaded: it imports "${subject}", which was not allowed together with it. Write the names of files in the import itself.`,
  "extensions.no-export": ({ of, subject }: OwnSubject) =>
    of === "tools"
      ? `${subject} exports no tool. Export what defineTool returns.`
      : `${subject} does not export exactly one channel. Export what defineChannel returns, once.`,
  "extensions.bad-name": ({ of, subject }: OwnSubject) =>
    of === "tools"
      ? `"${subject}" cannot be the name of a tool. Use letters, digits, _ and -, at most 64, and do not begin with mcp_.`
      : `"${subject}" cannot be the name of a channel. Name the file with small letters, digits, _ and -, at most 32.`,
  "extensions.taken": ({ of, subject }: OwnSubject) =>
    of === "tools"
      ? `There is a tool "${subject}" already. Choose another name.`
      : `The name "${subject}" is taken. Rename the file.`,
  "extensions.too-long": ({ subject }: OwnSubject) =>
    `The description and parameters of "${subject}" take more than 800 tokens of every request. Shorten them.`,
};
