// What Dream says to people, in English; its problems are told to the model in these words, too.
import { nanobot } from "../../lib/program-command.ts";

const plural = (count: number | string, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

type Problem = (path: string, found: string | number, most: string | number) => string;

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
  failures: {
    model: (detail: string) => `Dream could not be finished, and nothing was changed. ${detail}`,
    unclear: (detail: string) =>
      `Dream could not be finished, and nothing was changed: the model's answer was not in the form that it was asked for ("${detail}").`,
    unfinished: (detail: string) =>
      `Dream could not be finished, and nothing was changed: the model came to no end (${detail}).`,
    disk: (detail: string) => `Dream could not be finished: ${detail}`,
  },
  problems: {
    outside: (path) => `${path} is none of the files that may be changed: leave it alone.`,
    loss: (path, found, most) =>
      `${path} would lose ${plural(found, "line", "lines")}, and at most ${most} may go in one run: condense instead of deleting.`,
    size: (path, found, most) =>
      `${path} would have ${found} characters, and at most ${most} fit: condense it, merge lines and shorten what is old.`,
    skillForm: (path, found) =>
      `${path} is no valid skill (${found}): it needs front matter with its folder's name and a description of at most 1,024 characters.`,
    skillFlagged: (path, found) => `${path} holds something that no skill may hold: ${found}.`,
    skillLong: (path, found, most) => `${path} has ${found} words, and at most ${most} may be: shorten it.`,
    skillTwin: (path, found) => `${path} says what the skill ${found} says already: leave it out.`,
    changedMeanwhile: (path) =>
      `${path} was changed by somebody else meanwhile; the next run starts from there.`,
  } as Record<
    | "outside"
    | "loss"
    | "size"
    | "skillForm"
    | "skillFlagged"
    | "skillLong"
    | "skillTwin"
    | "changedMeanwhile",
    Problem
  >,
};

export type DreamWords = typeof englishDream;
