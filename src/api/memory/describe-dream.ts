// What `/dream` and `nanobot memory dream` say: what was changed, or why nothing was.
import type { DreamOutcome } from "../../dream/dream.ts";
import { toProblemPhrase } from "../../dream/dream-checks.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";

export function describeDream(outcome: DreamOutcome, all: Words): string {
  const words = all.dream;
  const reasons = toReasons(outcome).map((reason) => say(reason, all));
  switch (outcome.kind) {
    case "nothing-new":
      return words.nothingNew;
    case "no-model":
      return words.noModel;
    case "unchanged":
      return words.unchanged(outcome.entries);
    case "failed":
      return reasons.join("\n");
    case "refused":
      return [words.refused, ...reasons.map((reason) => `- ${reason}`)].join("\n");
    case "changed": {
      const files = outcome.files.map(({ path, added, removed }) => words.file(path, added, removed));
      const undo = outcome.version === undefined ? [] : ["", words.undo(outcome.version)];
      return [words.changed(outcome.entries), ...files, ...outcome.left.map(words.left), ...undo].join("\n");
    }
  }
}

/** Why it was refused, or has failed. */
export function toReasons(outcome: DreamOutcome): Phrase[] {
  if (outcome.kind === "refused") return outcome.problems.map(toProblemPhrase);
  if (outcome.kind !== "failed") return [];
  const { failure } = outcome;
  switch (failure.reason) {
    case "model":
      return [phrase("dream.failed-model", { reason: failure.phrase })];
    case "unclear":
      return [phrase("dream.failed-unclear", { detail: failure.detail })];
    case "unfinished":
      return [phrase("dream.failed-unfinished", { detail: failure.detail })];
    case "disk":
      return [phrase("dream.failed-disk", { reason: failure.phrase })];
  }
}
