// What was found in memory, where a line came from, and its versions, as Markdown for chat and terminal.

import type { DreamOutcome } from "../../dream/dream.ts";
import { toProblemPhrase } from "../../dream/dream-checks.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import type { FileDiff, Version } from "../../storage/documents/versions.ts";
import type { MemoryExplanation, MemoryFact, MemoryPlace } from "./memory.ts";

const longestPatch = 4_000;

export function describeFound(hits: readonly MemoryPlace[], words: Words): string {
  return hits.length === 0 ? words.memory.nothingFound : hits.map((hit) => quote(hit, words)).join("\n");
}

export function describeExplanation({ facts, similar }: MemoryExplanation, words: Words): string {
  const { why, nothingFound } = words.memory;
  const known = facts.map((fact) => describeFact(fact, words));
  if (known.length === 0) known.push(why.unknown);
  if (similar.length > 0) known.push([why.similar, ...similar.map((one) => cite(one, words))].join("\n"));
  else if (facts.length === 0) known.push(nothingFound);
  return known.join("\n\n");
}

function describeFact({ record, writtenBy, sources }: MemoryFact, words: Words): string {
  const { why } = words.memory;
  const { line, file, at, labels = [] } = record;
  return [
    why.line(line.replace(/^[-*+]\s+/, ""), file),
    at > 0 ? why.written(toTime(at)) : "",
    labels.length > 0 ? why.labels(labels.join(", ")) : "",
    ...(sources.length > 0 ? [why.sources] : [writtenBy === "unknown" ? why.unknown : why.gone]),
    ...sources.map((source) => cite(source, words)),
  ]
    .filter(Boolean)
    .join("\n");
}

/** With the reference that memory_read expands. */
function cite(place: MemoryPlace, words: Words): string {
  return `${quote(place, words)} [${place.reference}]`;
}

function quote({ at, role, speaker, name, text, why }: MemoryPlace, { memory }: Words): string {
  const reasons = (why?.reasons ?? []).map((reason) => memory.reasons[reason]);
  const shown = why === undefined ? text : emphasise(text, why.marks);
  const added = reasons.length === 0 ? "" : ` _(${reasons.join("; ")})_`;
  return `- **${toTime(at)}** ${speaker || (memory.roles[role] ?? role)} (${name}): ${shown}${added}`;
}

/** Marks in order. Text that is bold or code already would be broken by more marks. */
function emphasise(text: string, marks: NonNullable<MemoryPlace["why"]>["marks"]): string {
  if (/[*_`]/.test(text)) return text;
  return marks.reduceRight(
    (shown, [from, to]) => `${shown.slice(0, from)}**${shown.slice(from, to)}**${shown.slice(to)}`,
    text,
  );
}

function describeVersion({ id, at, kind, summary }: Version, { memory }: Words): string {
  return `\`${id}\` **${toTime(at)}** ${memory.versions.kinds[kind] ?? kind}: ${summary}`;
}

export function describeVersions(versions: readonly Version[], words: Words, restore: string): string {
  if (versions.length === 0) return words.memory.versions.none;
  const rows = versions.map((version) => `- ${describeVersion(version, words)}`);
  return [...rows, "", words.memory.versions.howToRestore(restore)].join("\n");
}

export function describeChange(version: Version, files: readonly FileDiff[], words: Words): string {
  const blocks = files.map(({ path, patch }) => {
    const shown = patch.length <= longestPatch ? patch : `${patch.slice(0, longestPatch)}\n...`;
    // A fence of its own length, because memory may hold one.
    const fence = "`".repeat(Math.max(3, ...(shown.match(/`+/g) ?? []).map(({ length }) => length + 1)));
    return `${path}\n${fence}diff\n${shown}\n${fence}`;
  });
  return [describeVersion(version, words), ...blocks].join("\n\n");
}

function toTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}

export function describeDream(outcome: DreamOutcome, all: Words): string {
  const words = all.dream;
  const reasons = toReasons(outcome).map((reason) => say(reason, all));
  switch (outcome.kind) {
    case "nothing-new":
      return words.nothingNew;
    case "no-model":
      return words.noModel;
    case "unchanged":
      return [words.unchanged(outcome.entries), ...describeRevised(outcome, all)].join("\n");
    case "failed":
      return reasons.join("\n");
    case "refused":
      return [words.refused, ...reasons.map((reason) => `- ${reason}`)].join("\n");
    case "changed": {
      const files = outcome.files.map(({ path, added, removed }) => words.file(path, added, removed));
      const undo = outcome.version === undefined ? [] : ["", words.undo(outcome.version)];
      const left = outcome.left.map(words.left);
      const revised = describeRevised(outcome, all);
      return [words.changed(outcome.entries), ...files, ...left, ...undo, ...revised].join("\n");
    }
  }
}

function describeRevised({ revised = [] }: { revised?: string[] }, { dream }: Words): string[] {
  return revised.length === 0 ? [] : ["", dream.revised(revised.join(", "))];
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
