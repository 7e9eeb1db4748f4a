// What slash commands are answered with: over the memory, the files, the jobs and the rights of whoever asks.
import type { AgentLoopOptions } from "../agent/loop-options.ts";
import { scopeOf } from "../bus/scope.ts";
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import { retell } from "../i18n/retell.ts";
import { speakTo, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Recall } from "../recall/recall.ts";
import { ControlError } from "../server/control.ts";
import type { SessionStore } from "../session/store.ts";
import type { Dreams } from "./build-dream.ts";
import { openTrail, type TrailParts } from "./build-trail.ts";
import { describeDream } from "./describe-dream.ts";
import { createMemoryAnswers } from "./memory-answers.ts";
import { answerModel } from "./model-answers.ts";
import type { Reached } from "./reach-control.ts";
import type { SessionModels } from "./session-models.ts";

export interface AnswerParts extends TrailParts {
  loaded: LoadedConfig;
  clock: Clock;
  words: Words;
  timeZone: string;
  sessions: SessionStore;
  recall: Recall;
  roots: FileRoots;
  dreams: Dreams;
  models: SessionModels;
  reach(): Promise<Reached>;
}

type Asked = ReturnType<AgentLoopOptions["answers"]>;
type Answers = Pick<AgentLoopOptions, "search" | "memory" | "dream" | "answers">;

export function buildAnswers(parts: AnswerParts): Answers {
  const { recall, roots, dreams } = parts;
  const wordsFor = (origin: Origin) => speakTo(origin, parts.words);
  const partsFor = (origin: Origin) => ({ ...parts, words: wordsFor(origin) });
  return {
    search: (query, origin) => recall.search({ query, scope: scopeOf(origin) }),
    memory: (origin) =>
      createMemoryAnswers(openTrail(parts, { root: roots.rootFor(origin), scope: scopeOf(origin) }), {
        words: wordsFor(origin),
        // A guest's own memory is that guest's; in a group, only the owner decides.
        mayChange: origin.group === undefined || origin.role === "owner",
      }),
    dream: async (origin, signal) =>
      describeDream(await dreams.run(roots.rootFor(origin), signal), wordsFor(origin)),
    answers(sessionKey, origin) {
      const told = partsFor(origin);
      const { words } = told;
      return withWishesTold(words, {
        model: (text) => answerModel(told, { sessionKey, isOwner: origin.role === "owner" }, text),
      });
    },
  };
}

/** What somebody asked for and cannot have is an answer, too. */
function withWishesTold(words: Words, answers: Asked): Asked {
  const entries = Object.entries(answers).map(([name, answer]): [string, typeof answer] => [
    name,
    async (text) => {
      try {
        return await answer(text);
      } catch (error) {
        if (error instanceof ControlError) return retell(error.message, words);
        throw error;
      }
    },
  ]);
  return Object.fromEntries(entries) as Asked;
}
