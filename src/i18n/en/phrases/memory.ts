// Why something about memory was not done, or Dream changed nothing, in English. The model is asked to fix the problems of Dream.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";
import { plural } from "../plural.ts";

export interface Problem {
  path: string;
  found: string | number;
  most: string | number;
}

export const memoryPhrases = {
  "memory.version-unknown": ({ id }: { id: string }) =>
    `There is no version "${id}". The list shows the versions there are.`,
  "memory.version-ambiguous": ({ id, matches }: { id: string; matches: string[] }) =>
    `Several versions begin with "${id}". Choose one: ${matches.join(", ")}`,
  "memory.version-first": ({ id }: { id: string }) =>
    `${id} is the first version. Nothing is known about the time before it.`,
  "memory.nothing-to-undo": ({ id }: { id: string }) =>
    `There is nothing to undo: the files are as they were before ${id}.`,
  "memory.version-conflict": ({ id, path, later }: { id: string; path: string; later: string }) =>
    `${id} cannot be undone on its own, because ${later} changed the same lines of ${path}. Undo ${later} first, then ${id}.`,
  "memory.version-edited": ({ id, path }: { id: string; path: string }) =>
    `${id} cannot be undone on its own, because the same lines of ${path} were edited by hand since. Change them back, or edit the file yourself.`,
  "memory.not-editable": ({ path }: { path: string }) =>
    `${path} cannot be edited here: it is a link, too large, or not a memory file. Open it in a text editor.`,
  "memory.changed-since":
    "What would be forgotten has changed in the meantime. Look at it again, then confirm again.",
  "memory.nothing-to-forget": "Nothing like that is remembered. Try other words, or fewer of them.",
  "memory.forget-these": ({ lines, messages }: { lines: number; messages: number }) =>
    `Forget this? ${plural(lines, "line")} of memory would be removed, and ${plural(messages, "message")} never recalled again.`,
  "memory.not-forgotten": "Nothing was forgotten.",
  "memory.search-failed": ({ quote }: { quote: string }) => `The memory could not be searched ("${quote}").`,
  "memory.search-ended": "The search was ended before it was done. Ask again.",
  "memory.not-yours": "Only the owner can change the memory of this group.",

  "dream.part": ({ part, parts }: { part: number; parts: number }) =>
    parts === 1 ? "Going through recent chats…" : `Going through recent chats: part ${part} of ${parts}…`,
  "dream.failed-model": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `Dream could not be finished, and nothing was changed. ${say(reason)}`,
  "dream.failed-unclear": ({ detail }: { detail: string }) =>
    `Dream could not be finished, and nothing was changed: the model's answer was not in the form that it was asked for ("${detail}").`,
  "dream.failed-unfinished": ({ detail }: { detail: string }) =>
    `Dream could not be finished, and nothing was changed: the model did not finish (${detail}).`,
  "dream.failed-disk": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `Dream could not be finished: ${say(reason)}`,
  "dream.not-done": ({ reasons }: { reasons: InnerPhrase[] }, { say }: PhraseContext) =>
    ["Not everything could be saved in memory:", ...reasons.map(say)].join(" "),
  "dream.outside": ({ path }: Problem) => `${path} is none of the files that may be changed: leave it alone.`,
  "dream.loss": ({ path, found, most }: Problem) =>
    `${path} would lose ${plural(found, "line")}, and at most ${most} may go in one run: condense instead of deleting.`,
  "dream.fact-lost": ({ path, found }: Problem) =>
    `${path} would lose "${found}", although nothing says that it no longer holds: keep it.`,
  "dream.size": ({ path, found, most }: Problem) =>
    `${path} would have ${found} characters, and at most ${most} fit: condense it, merge lines and shorten what is old.`,
  "dream.skill-form": ({ path, found }: Problem) =>
    `${path} is no valid skill (${found}): it needs front matter with its folder's name and a description of at most 1,024 characters.`,
  "dream.skill-flagged": ({ path, found }: Problem) =>
    `${path} holds something that no skill may hold: ${found}.`,
  "dream.skill-long": ({ path, found, most }: Problem) =>
    `${path} has ${found} words, and at most ${most} may be: shorten it.`,
  "dream.skill-twin": ({ path, found }: Problem) =>
    `${path} says what the skill ${found} says already: leave it out.`,
  "dream.changed-meanwhile": ({ path }: Problem) =>
    `${path} was changed by something else in the meantime; the next run starts from there.`,
};
