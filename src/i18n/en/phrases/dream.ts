// Why Dream changed nothing, in English. The problems are also what the model is asked to mend.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

const plural = (count: number | string, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export interface Problem {
  path: string;
  found: string | number;
  most: string | number;
}

export const dreamPhrases = {
  "dream.part": ({ part, parts }: { part: number; parts: number }) =>
    parts === 1 ? "Going through recent chats…" : `Going through recent chats: part ${part} of ${parts}…`,
  "dream.failed-model": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `Dream could not be finished, and nothing was changed. ${say(reason)}`,
  "dream.failed-unclear": ({ detail }: { detail: string }) =>
    `Dream could not be finished, and nothing was changed: the model's answer was not in the form that it was asked for ("${detail}").`,
  "dream.failed-unfinished": ({ detail }: { detail: string }) =>
    `Dream could not be finished, and nothing was changed: the model came to no end (${detail}).`,
  "dream.failed-disk": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `Dream could not be finished: ${say(reason)}`,
  "dream.not-done": ({ reasons }: { reasons: InnerPhrase[] }, { say }: PhraseContext) =>
    ["Not everything could be taken into memory:", ...reasons.map(say)].join(" "),
  "dream.outside": ({ path }: Problem) => `${path} is none of the files that may be changed: leave it alone.`,
  "dream.loss": ({ path, found, most }: Problem) =>
    `${path} would lose ${plural(found, "line", "lines")}, and at most ${most} may go in one run: condense instead of deleting.`,
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
    `${path} was changed by somebody else meanwhile; the next run starts from there.`,
};
