// Calendar days and clock times in a time zone.

interface DateParts {
  day: string;
  time: string;
  weekday: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-15` */
export function toDay(ms: number, timeZone: string): string {
  return toDateParts(ms, timeZone).day;
}

export function toDateParts(ms: number, timeZone: string): DateParts {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
    weekday: parts.weekday ?? "",
  };
}

/** Making one costs a hundred times more than using it. */
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
