// What a person means by what was typed: an entry of a numbered list, or the known name that is most like it.

export function findNearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = simplify(name);
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, simplify(candidate));
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  const tolerated = Math.max(1, Math.floor(wanted.length * 0.4));
  return best !== undefined && best.distance <= tolerated ? best.name : undefined;
}

function simplify(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(0, 64);
}

/** Insertions, deletions, replacements and swapped neighbours. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The id of the entry that is meant: by its id, its number in the list or its name. Otherwise the text itself. */
export function findListed<Entry extends { id: string }>(
  entries: readonly Entry[],
  text: string,
  nameOf: (entry: Entry) => string = () => "",
): string {
  const wanted = text.trim();
  const isNamed = (entry: Entry) => nameOf(entry).toLowerCase() === wanted.toLowerCase();
  const byNumber = /^\d{1,4}$/.test(wanted) ? entries[Number(wanted) - 1] : undefined;
  return (entries.find(({ id }) => id === wanted) ?? byNumber ?? entries.find(isNamed))?.id ?? wanted;
}
