// What would change if one folder took the place of another: files that come and go, and the lines of the others.
import { join } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { diffLines } from "../../lib/line-diff.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import { listFiles, readFirstBytes } from "../../skills/skill-files.ts";

const largestCompared = 256 * 1024;
const longestDiff = 8000;

/** Both without links in their paths. */
export async function compareFolders(before: string, after: string): Promise<Phrase[]> {
  const [old, fresh] = [before, after].map((folder) => listFiles(folder).files.map(({ path }) => path));
  const all = [...new Set([...(old ?? []), ...(fresh ?? [])])].sort();
  const changes = await Promise.all(
    all.map(async (file): Promise<Phrase[]> => {
      const path = revealLine(file);
      if (!old?.includes(file)) return [phrase("skills.file-added", { path })];
      if (!fresh?.includes(file)) return [phrase("skills.file-removed", { path })];
      const [a, b] = await Promise.all(
        [before, after].map((folder) => readFirstBytes(join(folder, file), largestCompared)),
      );
      if (a !== undefined && b !== undefined && a.equals(b)) return [];
      const diff = a && b && (await diffLines(a.toString(), b.toString(), longestDiff));
      return [phrase("skills.file-changed", { path, ...(diff !== undefined && { diff: reveal(diff) }) })];
    }),
  );
  const found = changes.flat();
  return found.length === 0 ? [phrase("skills.unchanged")] : found;
}
