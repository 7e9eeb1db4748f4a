// Today's and yesterday's notes: shown with the first message of an epoch, so that tomorrow picks up from yesterday,
// and, while it lasts, again with their end when somebody has written to them.
import { takeTail } from "../lib/text.ts";
import { toDay } from "./day.ts";
import type { PromptFileVersion } from "./layer.ts";
import type { PlanOptions } from "./turn-plan.ts";

const longestNote = 4_000;
const longestNews = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Oldest first. */
export async function readDailyNotes(
  { files, clock, timeZone }: PlanOptions,
  personRoot: string,
): Promise<PromptFileVersion[]> {
  const days = new Set([clock.now() - dayMs, clock.now()].map((ms) => toDay(ms, timeZone)));
  const notes = await Promise.all([...days].map((day) => files.read(personRoot, `memory/${day}.md`)));
  return notes.flatMap((note) => (note === undefined || note.text === "" ? [] : [note]));
}

/** Of a long note the newest part. */
export function showNote({ name, text }: PromptFileVersion): string {
  return `Notes in ${name}:\n${takeLastLines(text, longestNote)}`;
}

export function showNews({ name, text }: PromptFileVersion): string {
  return `The notes in ${name} were changed. They end with:\n${takeLastLines(text, longestNews)}`;
}

function takeLastLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = takeTail(text, limit);
  return `[...]\n${tail.slice(tail.indexOf("\n") + 1)}`;
}
