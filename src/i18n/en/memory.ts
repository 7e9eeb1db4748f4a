// Memory: what was found, its versions, sources, forgetting, and Dream, in English.
import { nanobot } from "../../lib/program-command.ts";
import { plural } from "./plural.ts";

export const englishMemory = {
  memory: {
    noFile: (known: string) => `No such file. There are: ${known}`,
    needsWords: (command: string) => `What should I look for? ${command} <words>`,
    nothingFound: "Nothing was found. Try other words, or fewer of them.",
    reasons: {
      named: "about that time",
      said: "said at that time",
      tells: "says when",
      speaker: "said by the person you asked about",
      near: "next to a match",
      similar: "similar in meaning",
    },
    roles: {
      user: "you",
      assistant: "assistant",
      tool: "tool",
      history: "summary",
      note: "note",
      memory: "memory",
      document: "document",
    } as Record<string, string>,

    versions: {
      kinds: {
        start: "first version",
        dream: "Dream",
        edit: "edited",
        restore: "restored",
        forget: "forgotten",
      } as Record<string, string>,
      none: "The memory files have not changed yet.",
      noDream: "Dream has not changed anything yet.",
      howToRestore: (command: string) => `To undo one of these changes: ${command} <id>`,
      needsId: (command: string) => `Which change should be undone? ${command} <id>`,
      restored: (id: string, summary: string, again: string) =>
        `The change ${id} is undone: ${summary}. To redo it: ${again}`,
      damaged: (folder: string, keptAs: string) =>
        `The versions in ${folder} were damaged. They are kept as ${keptAs}, and a new history starts now.`,
      unwritable: (folder: string, code: string) =>
        `No version could be saved: ${folder} cannot be written (${code}). Check its owner, its permissions and the disk.`,
    },

    why: {
      line: (line: string, file: string) => `**${line}** (${file})`,
      written: (date: string) => `Written down on ${date}.`,
      labels: (labels: string) => `It came from outside: ${labels}.`,
      sources: "Sources:",
      unknown: "No source is recorded for that.",
      gone: "Its sources are no longer kept.",
      similar: "Similar things that were said:",
    },

    forget: {
      nothing: "Nothing like that is remembered. Try other words, or fewer of them.",
      lines: (count: number | string) => `${plural(count, "line")} of the memory files:`,
      messages: (count: number | string) => `${plural(count, "message")}:`,
      summaries: (count: number | string) => `${plural(count, "summary", "summaries")} of conversations:`,
      more: (count: number | string) => `... and ${count} more`,
      ask: "Remove these lines, and never recall these messages again?",
      needsYes:
        "Nothing was forgotten, because no one can be asked here. Check what would be forgotten, then add --yes.",
      refused: "Nothing was forgotten.",
      done: (lines: number | string, messages: number | string) =>
        `Forgotten: ${plural(lines, "line")} of memory; ${plural(messages, "message or summary", "messages and summaries")} will no longer be recalled.`,
      undo: (command: string) => `To bring the lines back: ${command}`,
    },
  },

  dream: {
    nothingNew:
      "Nothing to review right now. A conversation is included once it is closed (/new) or has been idle for a while.",
    noModel: `Dream needs a model. Connect one with: ${nanobot} onboard`,
    unchanged: (count: number | string) =>
      `Reviewed ${plural(count, "entry", "entries")} of the history. There was nothing new to remember.`,
    changed: (count: number | string) =>
      `Reviewed ${plural(count, "entry", "entries")} of the history and changed:`,
    file: (path: string, added: number | string, removed: number | string) =>
      `- ${path}: ${added} added, ${removed} removed`,
    left: (path: string) => `- ${path} was left alone, because something else changed it at the same time`,
    undo: (id: string) => `Version ${id}; /dream-restore ${id} undoes it.`,
    refused: "Nothing was changed, because some of the changes are not allowed:",
    revised: (names: string) =>
      `A change of a skill waits for your decision: ${names}. See it with /skill-changes.`,
  },
};
