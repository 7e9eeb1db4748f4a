// What the slash commands that are no operations yet are answered with.
import type { AgentLoopOptions } from "../agent/loop-options.ts";
import { speakTo } from "../i18n/words.ts";
import { answerModel, type ModelAnswerParts } from "./model-answers.ts";

export function buildAnswers(parts: ModelAnswerParts): Pick<AgentLoopOptions, "answers"> {
  return {
    answers(sessionKey, origin) {
      const spoken = { ...parts, words: speakTo(origin, parts.words) };
      return {
        model: (text) => answerModel(spoken, { sessionKey, isOwner: origin.role === "owner" }, text),
      };
    },
  };
}
