// What `/dream` and `nanobot memory dream` tell: what was changed, or why nothing was.
import type { DreamOutcome } from "../dream/dream.ts";
import type { DreamFailure } from "../dream/dream-analysis.ts";
import { say, type Words } from "../i18n/words.ts";

export function describeDream(outcome: DreamOutcome, all: Words): string {
  const words = all.dream;
  switch (outcome.kind) {
    case "nothing-new":
      return words.nothingNew;
    case "no-model":
      return words.noModel;
    case "unchanged":
      return words.unchanged(outcome.entries);
    case "failed":
      return describeFailure(outcome.failure, all);
    case "refused": {
      const problems = outcome.problems.map(
        ({ kind, path, found, most }) => `- ${words.problems[kind](path, found, most)}`,
      );
      return [words.refused, ...problems].join("\n");
    }
    case "changed": {
      const files = outcome.files.map(({ path, added, removed }) => words.file(path, added, removed));
      const undo = outcome.version === undefined ? [] : ["", words.undo(outcome.version)];
      return [words.changed(outcome.entries), ...files, ...outcome.left.map(words.left), ...undo].join("\n");
    }
  }
}

function describeFailure(failure: DreamFailure, words: Words): string {
  const { failures } = words.dream;
  return "phrase" in failure
    ? failures[failure.reason](say(failure.phrase, words))
    : failures[failure.reason](failure.detail);
}
