// When a schedule is due next. Knows time zones and their clock changes, no jobs.
import type { Schedule } from "./job.ts";

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

/** What is wrong with a schedule, as a sentence; undefined when it can be used. */
export async function findScheduleProblem(
  schedule: Schedule,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<string | undefined> {
  if (schedule.kind === "at" && schedule.atMs <= now) return "That time is over. Give one in the future.";
  if (schedule.kind === "every" && !(schedule.everyMs >= 1000))
    return "The interval must be a second or more.";
  if (schedule.kind !== "cron") return undefined;
  const zone = schedule.tz ?? timeZone;
  if (!isTimeZone(zone)) return `"${zone}" is no time zone. Give an IANA name such as Asia/Shanghai.`;
  try {
    const next = await findNextRun(schedule, { after: now, anchor: now, timeZone });
    return next === undefined ? `"${schedule.expr}" names no time that will ever come.` : undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `"${schedule.expr}" is no cron expression of five fields, such as "0 9 * * 1-5" (${error.message}).`;
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
