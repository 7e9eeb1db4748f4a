// Today's and yesterday's notes, shown with the first message of an epoch, so that tomorrow picks up from yesterday.
import { takeTail } from "../lib/text.ts";
import { toDay } from "./day.ts";
import type { PromptFiles } from "./prompt-files.ts";

const longestNote = 4_000;
const dayMs = 24 * 60 * 60 * 1000;

export interface NotesInput {
  personRoot: string;
  now: number;
  timeZone: string;
}

/** Oldest first; of a long note the newest part. */
export async function readDailyNotes(
  files: PromptFiles,
  { personRoot, now, timeZone }: NotesInput,
): Promise<string[]> {
  const days = [toDay(now - dayMs, timeZone), toDay(now, timeZone)];
  const notes = await Promise.all(
    [...new Set(days)].map(async (day) => {
      const file = await files.read(personRoot, `memory/${day}.md`);
      if (file === undefined || file.text === "") return [];
      return [`Notes of ${day} (memory/${day}.md):\n${takeLastLines(file.text)}`];
    }),
  );
  return notes.flat();
}

function takeLastLines(text: string): string {
  if (text.length <= longestNote) return text;
  const tail = takeTail(text, longestNote);
  return `[...]\n${tail.slice(tail.indexOf("\n") + 1)}`;
}
