// What `/dream` and `nanobot memory dream` tell: what was changed, or why nothing was.
import type { DreamOutcome } from "../dream/dream.ts";
import type { Words } from "../i18n/words.ts";

export function describeDream(outcome: DreamOutcome, { dream: words }: Words): string {
  switch (outcome.kind) {
    case "nothing-new":
      return words.nothingNew;
    case "no-model":
      return words.noModel;
    case "unchanged":
      return words.unchanged(outcome.entries);
    case "failed":
      return words.failures[outcome.failure.reason](outcome.failure.detail);
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
