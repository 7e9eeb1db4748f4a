// Two changes of one text put together line by line. Refuses where both touched the same lines.

interface Change {
  /** Lines of the base that it replaces: from `from`, up to but without `to`. */
  from: number;
  to: number;
  lines: string[];
}

/** Undefined when the changes contradict one another, or are too many to compare. */
export async function mergeLines(base: string, one: string, other: string): Promise<string | undefined> {
  const [ours, theirs] = [await findChanges(base, one), await findChanges(base, other)];
  if (ours === undefined || theirs === undefined) return undefined;
  const further = theirs.filter((change) => !ours.some((known) => isSame(known, change)));
  if (ours.some((a) => further.some((b) => contradict(a, b)))) return undefined;
  const lines = base.split("\n");
  // From the end, so that the places of the others stay true; what was put in somewhere stands before what replaced it.
  for (const { from, to, lines: put } of [...ours, ...further].sort((a, b) => b.from - a.from || b.to - a.to))
    lines.splice(from, to - from, ...put);
  return lines.join("\n");
}

async function findChanges(base: string, text: string): Promise<Change[] | undefined> {
  const { diffArrays } = await import("diff");
  const parts = diffArrays(base.split("\n"), text.split("\n"), { maxEditLength: 5_000 });
  if (parts === undefined) return undefined;
  const changes: Change[] = [];
  let at = 0;
  let isOpen = false;
  for (const { added, removed, value } of parts) {
    const isChange = added || removed;
    if (isChange && !isOpen) changes.push({ from: at, to: at, lines: [] });
    isOpen = isChange;
    if (!added) at += value.length;
    const last = changes.at(-1);
    if (!isChange || last === undefined) continue;
    last.to = at;
    if (added) last.lines.push(...value);
  }
  return changes;
}

function isSame(a: Change, b: Change): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join("\n") === b.lines.join("\n");
}

/** Side by side is no contradiction, but two insertions at one place have no order. */
function contradict(a: Change, b: Change): boolean {
  if (a.from === a.to && b.from === b.to) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
}
