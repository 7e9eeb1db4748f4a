// What the terminal says about one's own tools, in English.
import { nanobot } from "../../lib/program-command.ts";

export const englishTools = {
  usage: {
    command: "list your own tools, allow one, or take that back",
    action: "what to do (default: list)",
    name: "a file in the folder tools of the home",
    yes: "allow without asking",
  },
  title: "Own tools",
  none: (folder: string) =>
    `There are no tools of your own in ${folder}. How to write one: docs/adding-a-tool.md`,
  states: {
    allowed: "allowed",
    new: "not allowed",
    changed: "changed",
    refused: "refused",
    broken: "broken",
  },
  isNew: (file: string) => `not used; read it, then: ${nanobot} tools allow ${file}`,
  isChanged: (file: string) =>
    `not used, because it changed since you allowed it; read it, then: ${nanobot} tools allow ${file}`,
  problems: {
    "not-a-file": (file: string) => `${file} is a link or no file; put the file itself there`,
    owner: (path: string) => `${path} belongs to another user; make it yours with chown`,
    writable: (path: string) => `others can write ${path}; stop that: chmod go-w`,
    missing: (file: string) => `it imports ${file}, which is not there; write the whole name, such as ./x.ts`,
    unreadable: (file: string) => `${file} cannot be read; check its permissions`,
    ending: (file: string) => `it imports ${file}; only .ts, .mts, .js, .mjs and .json are taken`,
    "too-large": (file: string) => `with ${file} it is more than 50 files or 2 MB`,
    outside: (target: string) => `it imports ${target}, which leads out of the folder; copy the file into it`,
    package: (target: string) =>
      `it imports the package ${target}; only "nanobot", Node's own modules and files of the folder are taken`,
    "in-workspace": (folder: string) =>
      `${folder} lies in the workspace, where the assistant could write it; choose another workspace`,
    failed: (reason: string) => `it could not be loaded: ${reason}`,
    "no-export": (file: string) => `${file} exports no tool; export what defineTool returns`,
    "bad-name": (name: string) =>
      `"${name}" is no name for a tool; use letters, digits, _ and -, at most 64, not beginning with mcp_`,
    taken: (name: string) => `there is a tool "${name}" already; choose another name`,
    "too-long": (name: string) =>
      `description and parameters of "${name}" take more than 800 tokens of every request; shorten them`,
  },
  unknown: (name: string, nearest?: string) =>
    `There is no file "${name}" among your tools. ${nearest === undefined ? `See: ${nanobot} tools list` : `Did you mean "${nearest}"?`}`,
  needsName: (action: string) => `Name a file: ${nanobot} tools ${action} <file>`,
  covers: "It will run with all your rights. What you allow, until one of these files changes:",
  ask: (file: string) => `Allow "${file}"?`,
  allowed: (file: string) => `"${file}" is allowed.`,
  removed: (file: string) => `"${file}" is no longer allowed. The file itself stays.`,
};
