// From which entries of the history the lines came that Dream wrote, and how old those are that it left.
import { compareLines, toLines } from "../lib/formats/line-diff.ts";
import type { Provenance, ProvenanceRecord } from "../storage/documents/provenance.ts";
import type { StagedChange } from "../storage/documents/staged-copy.ts";
import type { Directive } from "./dream-analysis.ts";
import { likeness } from "./dream-checks.ts";

/** Below this a line has nothing to do with a directive. */
const leastLikeness = 0.1;

export interface RecordSources {
  directives: readonly Directive[];
  provenance: Provenance;
  now: number;
}

export async function toRecords(change: StagedChange, sources: RecordSources): Promise<ProvenanceRecord[]> {
  const { path: file, before, after, changedAt } = change;
  const { directives, provenance, now } = sources;
  const mark = file.startsWith("skills/") ? /^description:/ : /^[^#]/;
  const added = new Set(compareLines(before, after).added.filter((line) => mark.test(line)));
  const kept = [...new Set(toLines(after))].filter((line) => mark.test(line) && !added.has(line));
  const dated = await provenance.ageOf(file, kept);
  return [
    ...[...added].map((line) => ({ file, line, at: now, ...findOrigin(line, directives) })),
    // The date of the file was theirs, and is about to change.
    ...kept.filter((line) => !dated.has(line)).map((line) => ({ file, line, at: changedAt })),
  ];
}

/** How many lines of a file were added and removed. */
export function toCounts(change: StagedChange): { path: string; added: number; removed: number } {
  const { added, removed } = compareLines(change.before, change.after);
  return { path: change.path, added: added.length, removed: removed.length };
}

/** The entries of the directive that a line is most like; of all of them, where it is like none. */
function findOrigin(
  line: string,
  directives: readonly Directive[],
): Pick<ProvenanceRecord, "cursors" | "labels"> {
  const scored = directives.map((directive) => ({ directive, score: likeness(line, directive.text) }));
  const best = Math.max(leastLikeness, ...scored.map(({ score }) => score));
  const found = scored.filter(({ score }) => score >= best).map(({ directive }) => directive);
  const origins = found.length > 0 ? found.slice(0, 1) : directives;
  const labels = [...new Set(origins.flatMap((origin) => origin.labels))];
  return {
    cursors: [...new Set(origins.flatMap((origin) => origin.cursors))],
    ...(labels.length > 0 && { labels }),
  };
}
