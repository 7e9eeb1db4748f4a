// When a schedule is due next. Knows time zones and their clock changes, no jobs.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import type { Schedule } from "../storage/jobs/job.ts";

/** Undefined: never again. `anchor` is a time from which intervals are counted. */
export async function findNextRun(
  schedule: Schedule,
  { after, anchor, timeZone }: { after: number; anchor: number; timeZone: string },
): Promise<number | undefined> {
  if (schedule.kind === "at") return schedule.atMs > after ? schedule.atMs : undefined;
  if (schedule.kind === "every") {
    // An anchor in the future means that the clock was set back.
    const start = Math.min(anchor, after);
    return start + (Math.floor((after - start) / schedule.everyMs) + 1) * schedule.everyMs;
  }
  const { Cron } = await import("croner");
  const cron = new Cron(schedule.expr, { timezone: schedule.tz ?? timeZone, mode: "5-part", paused: true });
  return cron.nextRun(new Date(after))?.getTime();
}

/** Of a schedule that has just been made, and checked: a single time may be over since. */
export async function findFirstRun(
  schedule: Schedule,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<number | undefined> {
  if (schedule.kind === "at") return schedule.atMs;
  return findNextRun(schedule, { after: now, anchor: now, timeZone });
}

const isoTime =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/i;

/** An ISO time such as `2026-08-01T09:00`; without a zone of its own it is one of the given zone. Undefined: it is none. */
export async function readInstant(text: string, timeZone: string): Promise<number | undefined> {
  const day = isoTime.exec(text.trim())?.[1];
  if (day === undefined || !isTimeZone(timeZone) || !isDay(day)) return undefined;
  const { Cron } = await import("croner");
  const once = new Cron(text.trim().replace(" ", "T"), { timezone: timeZone, paused: true });
  return once.nextRun(new Date(0))?.getTime();
}

/** `2026-08-01 09:00` */
export function formatInstant(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(ms);
}

/** There is no 31st of February. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The times that come, the earliest first. */
export async function findNextRuns(
  schedule: Schedule,
  {
    count,
    until,
    ...from
  }: { count: number; until?: number; after: number; anchor: number; timeZone: string },
): Promise<number[]> {
  const times: number[] = [];
  for (let after = from.after; times.length < count; ) {
    const next = await findNextRun(schedule, { ...from, after });
    if (next === undefined || next >= (until ?? Number.POSITIVE_INFINITY)) break;
    times.push(next);
    after = next;
  }
  return times;
}

/** A time that was over so shortly before is now: "in ten seconds" may be over when a slow model has said so. */
const justNowMs = 60_000;

/** Undefined when it can be used. */
export async function findScheduleProblem(
  schedule: Schedule,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<Phrase | undefined> {
  if (schedule.kind === "at" && schedule.atMs <= now - justNowMs) return phrase("jobs.time-over");
  if (schedule.kind === "every" && !(schedule.everyMs >= 1000)) return phrase("jobs.too-often");
  if (schedule.kind !== "cron") return undefined;
  const { expr, tz = timeZone } = schedule;
  if (!isTimeZone(tz)) return phrase("jobs.bad-zone", { zone: tz });
  try {
    const next = await findNextRun(schedule, { after: now, anchor: now, timeZone });
    if (next !== undefined) return undefined;
    return phrase("jobs.never", { expression: expr });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return phrase("jobs.bad-expression", { expression: expr, quote: error.message });
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
