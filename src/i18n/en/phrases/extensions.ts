// Custom tools and channels, and MCP servers: what they bring, or why they are not used, in English. The model reads the reasons, too.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";
import { plural } from "../plural.ts";

export type ExtensionKind = "tools" | "channels";

/** `subject`: a file, a name, an import or a number of seconds. */
export interface OwnSubject {
  of: ExtensionKind;
  subject: string;
}

/** How a program ended, as far as it is known, and the last line that it wrote. */
export interface ServerEnd {
  exitCode?: number;
  signal?: string;
  lastLine?: string;
}

export const extensionPhrases = {
  "extensions.off": "switched off",
  "extensions.unseen": "not connected yet",
  "extensions.offered": ({ count, seen }: { count: number; seen: string }) =>
    `${plural(count, "tool")}, seen ${seen}`,
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
      ? `There is already a tool "${subject}". Choose another name.`
      : `The name "${subject}" is taken. Rename the file.`,
  "extensions.too-long": ({ subject }: OwnSubject) =>
    `The description and parameters of "${subject}" take more than 800 tokens of every request. Shorten them.`,

  "mcp.no-target": "it has neither a command nor a url",
  "mcp.bad-address": "its url is not an address that begins with http:// or https://",
  "mcp.sign-in": ({ server }: { server: string }, { program }: PhraseContext) =>
    `you have to sign in first: ${program} mcp login ${server}`,
  "mcp.more-rights": ({ server, scope }: { server: string; scope: string }, { program }: PhraseContext) =>
    `it needs more rights${scope === "" ? "" : ` (${scope})`}; sign in again to grant them: ${program} mcp login ${server}`,
  "mcp.sign-in-blocked":
    "its sign-in leads to an address that is not public, or not a web page; it was not opened. If this is meant, add the network to tools.ssrfWhitelist",
  "mcp.sign-in-unreachable": "the service that signs you in could not be reached; try again later",
  "mcp.sign-in-failed": ({ reason }: { reason: string }) =>
    `signing in failed${reason === "" ? "" : ` (${reason})`}; try again`,
  "mcp.sign-in-refused": ({ reason }: { reason: string }) => `the sign-in was refused (${reason})`,
  "mcp.sign-in-over": "this sign-in is over or was never begun; begin again",
  "mcp.no-sign-in": ({ name }: { name: string }) =>
    `"${name}" is not reached over the network, or has a token in its headers: there is nothing to sign in to.`,
  "mcp.not-redirected":
    "That is not the address that the browser ended at. Copy all of it: it contains state= and code=.",
  "mcp.sign-in-problem": ({ name, reason }: { name: string; reason: InnerPhrase }, { say }: PhraseContext) =>
    `${name}: ${say(reason)}`,
  "mcp.no-program": ({ program }: { program: string }) =>
    `the program ${program} was not found; install it, or write its full path`,
  "mcp.not-started": ({ program, errno }: { program: string; errno: string }) =>
    `the program ${program} cannot be started (${errno}); check its permissions`,
  "mcp.no-folder": ({ folder }: { folder: string }) => `its folder ${folder} does not exist`,
  "mcp.ended": ({ exitCode, signal, lastLine = "" }: ServerEnd) => {
    const how = signal ?? (exitCode === undefined ? "" : `exit code ${exitCode}`);
    return ["it ended on its own", [how, lastLine].filter(Boolean).join(", ")].filter(Boolean).join(": ");
  },
  "mcp.no-answer": ({ seconds }: { seconds?: number }) =>
    `it did not answer${seconds === undefined ? "" : ` within ${seconds} s`}`,
  "mcp.unreachable": ({ errno }: { errno: string }) =>
    `it cannot be reached (${errno}); check its url and the network`,
  "mcp.refused": ({ status }: { status: number }) =>
    `it refused us (${status}); check the token in its headers`,
  "mcp.redirected": ({ status }: { status: number }) =>
    `it sends us to another address (${status}), which is not followed; use the new url if you trust it`,
  "mcp.status": ({ status }: { status: number }) => `it answered with the HTTP status ${status}`,
  "mcp.too-large": ({ megabytes }: { megabytes: number }) =>
    `it sent more than ${megabytes} MB at once and was ended`,
  "mcp.failed": ({ reason }: { reason: string }) => reason,
  "mcp.asks": ({ server }: { server: string }) => `${server} asks:`,
  "mcp.option": ({ label }: { label: string }) => label,
  "mcp.refuse": "Don't answer",
  "mcp.use-default": ({ label }: { label: string }) => `Use: ${label}`,
  "mcp.use-defaults": "Use the suggested values",
  "mcp.skip-field": "Leave empty",
  "mcp.opened": "I have opened it",
  "mcp.unknown": ({ name, nearest }: { name: string; nearest?: string }, { program }: PhraseContext) =>
    `There is no MCP server "${name}". ${nearest === undefined ? `See: ${program} mcp list` : `Did you mean "${nearest}"?`}`,
  "mcp.exists": ({ name }: { name: string }) =>
    `There is already an MCP server "${name}". Remove it first, or use another name.`,
  "mcp.unknown-preset": ({ name, known }: { name: string; known: string }) =>
    `There is no preset "${name}". There are: ${known}.`,
  "mcp.preset-needs": ({ name, variables }: { name: string; variables: string }) =>
    `"${name}" needs environment variables that are not set: ${variables}. Set them where nanobot is started, then add it again.`,
  "mcp.not-servers":
    'That is not a list of MCP servers. Use JSON such as {"mcpServers": {"name": {"command": "..."}}}; one server alone needs a name.',
};
