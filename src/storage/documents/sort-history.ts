// Puts entries of histories, and the lines of daily notes that were written with them, where they belong: 0.1.0 could
// archive a conversation into the memory of another person. Knows no scope: it is told which folder is right.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { type HistoryEntry, HistoryLog } from "./history-log.ts";
import { toNoteLine } from "./memory-store.ts";

/** The folder of whose conversation it was; undefined if unknown. */
export type FindHome = (entry: { session_key: string; through?: string }) => Promise<string | undefined>;

export interface Moved {
  entry: HistoryEntry;
  from: string;
  to: string;
  /** As it stood in a daily note. */
  note: string;
}

/** What is misplaced in the history of a folder, oldest first. */
export async function findMisplaced(root: string, clock: Clock, findHome: FindHome): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const entry of await new HistoryLog(root, clock).read()) {
    const { session_key, through } = entry;
    if (typeof session_key !== "string" || typeof through !== "string") continue;
    const to = await findHome({ session_key, through });
    if (to !== undefined && to !== root)
      moved.push({ entry, from: root, to, note: toNoteLine({ ...entry, session_key }) });
  }
  return moved;
}

/** Into the history where it belongs, with its own time; once, however often it is begun. */
export async function carryOver({ entry: { cursor: _, ...entry }, to }: Moved, clock: Clock): Promise<void> {
  const log = new HistoryLog(to, clock);
  const isThere = (await log.read()).some(
    ({ session_key, through, content }) =>
      session_key === entry.session_key && through === entry.through && content === entry.content,
  );
  if (!isThere) await log.append(entry);
}

/** Lines of the daily notes of a folder that belong elsewhere; how many. */
export async function sortNotes(
  root: string,
  findHomeOf: (line: string) => Promise<string | undefined>,
): Promise<number> {
  const folder = join(root, "memory");
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  let count = 0;
  for (const name of names.filter((each) => /^\d{4}-\d\d-\d\d\.md$/.test(each))) {
    const lines = (await readFile(join(folder, name), "utf8")).split("\n");
    const homes = await Promise.all(lines.map((line) => findHomeOf(line)));
    const isKept = (index: number) => homes[index] === undefined || homes[index] === root;
    if (lines.every((_, index) => isKept(index))) continue;
    for (const [index, line] of lines.entries())
      if (!isKept(index)) {
        await addLine(join(homes[index] ?? root, "memory", name), line);
        count += 1;
      }
    await writeFileAtomic(join(folder, name), lines.filter((_, index) => isKept(index)).join("\n"));
  }
  return count;
}

async function addLine(path: string, line: string): Promise<void> {
  const text = (await readFile(path, "utf8").catch(ignoreMissing)) ?? "";
  if (text.split("\n").includes(line)) return;
  await writeFileAtomic(path, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}
