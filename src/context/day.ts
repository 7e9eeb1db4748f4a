// Calendar days and clock times in a time zone.
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
  return timeZone === readSystemTimeZone() ? toLocalParts(new Date(ms)) : toForeignParts(ms, timeZone);
}

/** Without Intl, whose first use would be felt at every start. */
function toLocalParts(date: Date): DateParts {
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
    weekday: weekdays[date.getDay()] ?? "",
  };
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
