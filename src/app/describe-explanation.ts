// What `/why` and `nanobot memory why` tell: a line of memory and the messages that it was drawn from, as Markdown.

import type { Words } from "../i18n/words.ts";
import { toLocalIso } from "../lib/clock.ts";
import type { ExplainedFact, Explanation } from "../recall/explain-fact.ts";
import type { RecalledEntry } from "../recall/recall.ts";

export function describeExplanation({ facts, similar }: Explanation, words: Words): string {
  const { why, nothingFound } = words.memory;
  const known = facts.map((fact) => describeFact(fact, words));
  if (known.length === 0) known.push(why.unknown);
  if (similar.length > 0) known.push([why.similar, ...similar.map((one) => quote(one, words))].join("\n"));
  else if (facts.length === 0) known.push(nothingFound);
  return known.join("\n\n");
}

function describeFact({ record, sources }: ExplainedFact, words: Words): string {
  const { why } = words.memory;
  const { line, file, at, labels = [], cursors, turn } = record;
  const isRecorded = cursors !== undefined || turn !== undefined;
  return [
    why.line(line.replace(/^[-*+]\s+/, ""), file),
    at > 0 ? why.written(toTime(at)) : "",
    labels.length > 0 ? why.labels(labels.join(", ")) : "",
    ...(sources.length > 0 ? [why.sources] : [isRecorded ? why.gone : why.unknown]),
    ...sources.map((source) => quote(source, words)),
  ]
    .filter(Boolean)
    .join("\n");
}

/** With the reference that memory_read expands. */
function quote({ reference, at, role, speaker, name, text }: RecalledEntry, { memory }: Words): string {
  return `- **${toTime(at)}** ${speaker || (memory.roles[role] ?? role)} (${name}): ${text} [${reference}]`;
}

function toTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}
