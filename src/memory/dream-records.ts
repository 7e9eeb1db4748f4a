// From which entries of the history the lines came that Dream wrote. Reads nothing but what it is given.
import { likeness } from "../lib/likeness.ts";
import type { Directive } from "./dream-analysis.ts";
import type { DreamLanding } from "./dream-journal.ts";
import { compareLines, type StagedChange, toLines } from "./dream-stage.ts";

type Records = DreamLanding["records"];

/** Below this a line has nothing to do with a directive. */
const leastLikeness = 0.1;

/** Each new line with the entries of the directive that it is most like; of all of them, where it is like none. */
export function recordAdded(changes: readonly StagedChange[], directives: Directive[], at: number): Records {
  const everything = [...new Set(directives.flatMap(({ cursors }) => cursors))];
  return changes.flatMap(({ path, before, after }) => {
    const isSkill = path.startsWith("skills/");
    const lines = compareLines(before, after).added.filter((line) =>
      isSkill ? line.startsWith("description:") : !line.startsWith("#"),
    );
    return lines.map((line) => {
      const origin = findOrigin(line, directives);
      const labels = origin?.labels ?? [];
      const cursors = origin?.cursors ?? everything;
      return { file: path, line, at, cursors, ...(labels.length > 0 && { labels }) };
    });
  });
}

/** Lines that nobody dated keep the date of their file, which the landing is about to change. */
export function recordUndated(
  { path, before, after }: StagedChange,
  dates: ReadonlyMap<string, number>,
  at: number,
): Records {
  const kept = new Set(toLines(after));
  const lines = [...new Set(toLines(before))].filter((line) => kept.has(line) && !line.startsWith("#"));
  return lines.filter((line) => !dates.has(line)).map((line) => ({ file: path, line, at }));
}

function findOrigin(line: string, directives: Directive[]): Directive | undefined {
  const ranked = directives
    .filter(({ isRemoval }) => !isRemoval)
    .map((directive) => ({ directive, score: likeness(line, directive.text) }))
    .sort((a, b) => b.score - a.score);
  const [best] = ranked;
  return best !== undefined && best.score >= leastLikeness ? best.directive : undefined;
}
