// What would change if one folder took the place of another: files that come and go, and the lines of the others.
import { join } from "node:path";
import type { Words } from "../../i18n/words.ts";
import { diffLines } from "../../lib/line-diff.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import { listFiles, readFirstBytes } from "../../skills/skill-files.ts";

const largestCompared = 256 * 1024;
const longestDiff = 8000;

/** Both without links in their paths. */
export async function compareFolders(before: string, after: string, { skills }: Words): Promise<string[]> {
  const [old, fresh] = [before, after].map((folder) => listFiles(folder).files.map(({ path }) => path));
  const all = [...new Set([...(old ?? []), ...(fresh ?? [])])].sort();
  const parts = await Promise.all(
    all.map(async (path) => {
      const shown = revealLine(path);
      if (!old?.includes(path)) return [`+ ${shown}`];
      if (!fresh?.includes(path)) return [`- ${shown}`];
      const [a, b] = await Promise.all(
        [before, after].map((folder) => readFirstBytes(join(folder, path), largestCompared)),
      );
      if (a !== undefined && b !== undefined && a.equals(b)) return [];
      const diff = a && b && (await diffLines(a.toString(), b.toString(), longestDiff));
      return [`~ ${shown}`, diff === undefined ? skills.whollyChanged : reveal(diff)];
    }),
  );
  const lines = parts.flat();
  return lines.length === 0 ? [skills.unchanged] : lines;
}
