// memory/HISTORY.md of older versions of the Python original, taken over once into history.jsonl.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isBlank } from "../../lib/text.ts";
import { type HistoryEntry, HistoryLog } from "../documents/history-log.ts";
import { moveFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";

/** Each paragraph becomes an entry that Dream counts as read. Returns how many. */
export async function takeOverHistory(workspace: string, clock: Clock): Promise<number> {
  const path = join(workspace, "memory", "HISTORY.md");
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  if (text === undefined) return 0;
  const log = new HistoryLog(workspace, clock);
  const paragraphs = text
    .split(/\n\s*\n/)
    .filter((paragraph) => !isBlank(paragraph) && !/^#/.test(paragraph.trim()));
  let last: HistoryEntry | undefined;
  for (const paragraph of paragraphs) last = (await log.append({ content: paragraph.trim() })) ?? last;
  if (last !== undefined) await log.writeDreamCursor(last.cursor);
  await moveFile(path, `${path}.bak`);
  return paragraphs.length;
}
