// What Dream says to people, in English.
import { nanobot } from "../../lib/program-command.ts";

const plural = (count: number | string, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const englishDream = {
  nothingNew:
    "There is nothing to go through right now. A conversation is included once it is closed (/new) or has rested for a while.",
  noModel: `Dream needs a model, and there is none here: ${nanobot} onboard connects one.`,
  unchanged: (count: number | string) =>
    `Went through ${plural(count, "entry", "entries")} of the history; nothing in them had to be kept.`,
  changed: (count: number | string) =>
    `Went through ${plural(count, "entry", "entries")} of the history and changed:`,
  file: (path: string, added: number | string, removed: number | string) =>
    `- ${path}: ${added} added, ${removed} removed`,
  left: (path: string) => `- ${path} was left alone: somebody else changed it at the same moment`,
  undo: (id: string) => `Version ${id}; /dream-restore ${id} takes it back.`,
  refused: "Nothing was changed, because not all of it could be accepted:",
};

export type DreamWords = typeof englishDream;
