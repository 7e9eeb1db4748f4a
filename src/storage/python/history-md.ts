// What older versions of the Python original wrote, taken over once into history.jsonl: memory/HISTORY.md, and lines
// without a cursor.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { isBlank } from "../../lib/text.ts";
import { type HistoryEntry, HistoryLog, type NewHistoryEntry } from "../documents/history-log.ts";
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
  for (const paragraph of paragraphs) last = (await log.append(toEntry(paragraph.trim()))) ?? last;
  if (last !== undefined) await log.writeDreamCursor(last.cursor);
  await moveFile(path, `${path}.bak`);
  return paragraphs.length;
}

/** It begins with its time: `[2026-03-01 09:30] ...` */
function toEntry(paragraph: string): NewHistoryEntry {
  const [, timestamp, content] = /^\[(\d{4}-\d\d-\d\d \d\d:\d\d)\]\s*([\s\S]*)$/.exec(paragraph) ?? [];
  return timestamp && content ? { timestamp, content } : { content: paragraph };
}

const documentedType = "consolidation";

/** Lines `{"role","content","type":"consolidation"}`, which the first versions wrote, become entries with a cursor. */
export async function adoptHistoryLines(workspace: string, clock: Clock): Promise<number> {
  const log = new HistoryLog(workspace, clock);
  return log.adopt(`"${documentedType}"`, (line) => {
    const value = parseJson(line);
    if (!isRecord(value) || value.type !== documentedType || typeof value.content !== "string")
      return undefined;
    const { content, timestamp } = value;
    return { content, ...(typeof timestamp === "string" && { timestamp }) };
  });
}
