// Calendar days and clock times in a time zone.
import { toLocalIso } from "../lib/clock.ts";
import { readSystemTimeZone } from "../lib/time-zone.ts";

interface DateParts {
  /** `2026-11-15` */
  day: string;
  /** `09:30` */
  time: string;
  weekday: string;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const formats = new Map<string, Intl.DateTimeFormat>();

export function toDay(ms: number, timeZone: string): string {
  return toDateParts(ms, timeZone).day;
}

export function toDateParts(ms: number, timeZone: string): DateParts {
  return timeZone === readSystemTimeZone() ? toLocalParts(ms) : toForeignParts(ms, timeZone);
}

/** Without Intl, whose first use would be felt at every start. */
function toLocalParts(ms: number): DateParts {
  const iso = toLocalIso(ms);
  return { day: iso.slice(0, 10), time: iso.slice(11, 16), weekday: weekdays[new Date(ms).getDay()] ?? "" };
}

function toForeignParts(ms: number, timeZone: string): DateParts {
  const entries = formatFor(timeZone)
    .formatToParts(ms)
    .map(({ type, value }) => [type, value]);
  const parts = Object.fromEntries(entries) as Record<string, string>;
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
    weekday: parts.weekday ?? "",
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    weekday: "long",
    hourCycle: "h23",
  });
  formats.set(timeZone, format);
  return format;
}
