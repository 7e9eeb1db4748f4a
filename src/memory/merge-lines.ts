// Two changes of one text put together line by line; refuses where both touched the same lines.

interface Change {
  /** Lines of the base that it replaces: from, up to but without to. */
  from: number;
  to: number;
  lines: string[];
}

/** Undefined when the changes contradict one another, or are too many to compare. */
export async function mergeLines(base: string, one: string, other: string): Promise<string | undefined> {
  const ours = await findChanges(base, one);
  const theirs = await findChanges(base, other);
  if (ours === undefined || theirs === undefined) return undefined;
  const new_ = theirs.filter((change) => !ours.some((known) => isSame(known, change)));
  if (ours.some((a) => new_.some((b) => contradict(a, b)))) return undefined;
  const lines = base.split("\n");
  // From the end, so that the places of the others stay true; what was put in at a place stands before what replaced it.
  const changes = [...ours, ...new_].sort((a, b) => b.from - a.from || b.to - a.to);
  for (const { from, to, lines: put } of changes) lines.splice(from, to - from, ...put);
  return lines.join("\n");
}

async function findChanges(base: string, text: string): Promise<Change[] | undefined> {
  const { diffArrays } = await import("diff");
  const parts = diffArrays(base.split("\n"), text.split("\n"), { maxEditLength: 5_000 });
  if (parts === undefined) return undefined;
  const changes: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = changes.at(-1);
    const change = last?.to === at ? last : { from: at, to: at, lines: [] };
    if (change !== last) changes.push(change);
    if (added) change.lines.push(...value);
    else {
      at += value.length;
      change.to = at;
    }
  }
  return changes;
}

function isSame(a: Change, b: Change): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join("\n") === b.lines.join("\n");
}

/** Beside one another is no contradiction, but two insertions at one place have no order. */
function contradict(a: Change, b: Change): boolean {
  if (a.from === a.to && b.from === b.to) return a.from === b.from;
  return a.from < b.to && b.from < a.to;
}
