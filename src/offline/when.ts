// A time that a person named, and what the tool cron makes of it. Wall times are numbers as if they were in UTC: what
// the clock on the user's wall shows, whatever its zone.

/** `isVague`: it may be meant in the evening as well. */
export interface ClockTime {
  hour: number;
  minute: number;
  isVague?: boolean;
}

export type DayWish =
  | { inDays: number }
  /** `isNextWeek`: not the coming one, but that of the week after this. */
  | { weekday: number; isNextWeek?: boolean }
  | { month: number; day: number; year?: number };

export type When =
  | { kind: "in"; seconds: number }
  | { kind: "every"; seconds: number }
  | { kind: "at"; day?: DayWish; clock: ClockTime; zone?: string }
  /** `days` and `weekdays` are fields of a cron expression. */
  | { kind: "repeat"; days?: string; weekdays?: string; clock: ClockTime; zone?: string };

/** A phrase at the beginning of a text, and how long it is. */
export interface FoundWhen {
  when: When;
  length: number;
}

export const dayMs = 86_400_000;
const longestSeconds = 10 * 366 * 86_400;

/** Undefined for what nobody means. */
export function toInterval(kind: "in" | "every", seconds: number): When | undefined {
  return seconds >= 1 && seconds <= longestSeconds ? { kind, seconds: Math.round(seconds) } : undefined;
}

export function toOnce(day: DayWish | undefined, clock: ClockTime | undefined): When | undefined {
  const isDate =
    day === undefined || !("month" in day) || (isFrom1To(day.month, 12) && isFrom1To(day.day, 31));
  return clock === undefined || !isDate ? undefined : { kind: "at", ...(day && { day }), clock };
}

function isFrom1To(value: number, most: number): boolean {
  return value >= 1 && value <= most;
}

/** Arguments of the tool. */
export function toArguments(when: When, now: number): Record<string, unknown> {
  switch (when.kind) {
    case "in":
      return { at: toIso(now + when.seconds * 1000) };
    case "every":
      return { every_seconds: when.seconds };
    case "at":
      return { at: toIso(findTime(when.day, when.clock, now)), ...(when.zone && { tz: when.zone }) };
    case "repeat": {
      const { days = "*", weekdays = "*", clock, zone } = when;
      const expression = `${clock.minute} ${clock.hour} ${days} * ${weekdays}`;
      return { cron_expr: expression, ...(zone && { tz: zone }) };
    }
  }
}

function toIso(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19);
}

function findTime(day: DayWish | undefined, clock: ClockTime, now: number): number {
  const today = now - (now % dayMs);
  const at = (start: number, later = 0) => start + (clock.hour + later) * 3_600_000 + clock.minute * 60_000;
  const mayBeEvening = clock.isVague === true && clock.hour < 12;
  if (day === undefined) {
    const times = [at(today), ...(mayBeEvening ? [at(today, 12)] : []), at(today + dayMs)];
    return times.find((time) => time > now) ?? at(today + dayMs);
  }
  if ("inDays" in day) {
    const isOver = day.inDays === 0 && at(today) <= now;
    return at(today + day.inDays * dayMs, isOver && mayBeEvening ? 12 : 0);
  }
  if ("weekday" in day) return at(findWeekday(day, { today, isOver: at(today) <= now }));
  const { month, day: date, year } = day;
  const inYear = (given: number) => at(Date.UTC(given, month - 1, date));
  const thisYear = new Date(today).getUTCFullYear();
  if (year !== undefined) return inYear(year);
  return inYear(thisYear) > now ? inYear(thisYear) : inYear(thisYear + 1);
}

function findWeekday(
  { weekday, isNextWeek }: { weekday: number; isNextWeek?: boolean },
  { today, isOver }: { today: number; isOver: boolean },
): number {
  const current = new Date(today).getUTCDay();
  // Weeks begin on Monday here.
  if (isNextWeek === true) return today + (7 - ((current + 6) % 7) + ((weekday + 6) % 7)) * dayMs;
  const ahead = (weekday - current + 7) % 7;
  return today + (ahead === 0 && isOver ? 7 : ahead) * dayMs;
}

/** Where no hour is named. */
export const usualClocks: Record<string, ClockTime> = {
  day: { hour: 9, minute: 0 },
  morning: { hour: 9, minute: 0 },
  noon: { hour: 12, minute: 0 },
  afternoon: { hour: 15, minute: 0 },
  evening: { hour: 19, minute: 0 },
  night: { hour: 21, minute: 0 },
};

/** What somebody called `part` of the day says about an hour of up to 12. */
export function toClock(hour: number, minute: number, part?: string): ClockTime | undefined {
  if (!(hour <= 24) || !(minute <= 59)) return undefined;
  if (part === undefined) return { hour: hour % 24, minute, ...(hour > 0 && hour < 12 && { isVague: true }) };
  const isLate = ["pm", "afternoon", "evening", "night"].includes(part) || (part === "noon" && hour < 11);
  if (isLate) return { hour: hour < 12 ? hour + 12 : hour % 24, minute };
  return { hour: part === "noon" || hour > 12 ? hour % 24 : hour % 12, minute };
}

const cities: Record<string, string> = {
  beijing: "Asia/Shanghai",
  北京: "Asia/Shanghai",
  上海: "Asia/Shanghai",
  中国: "Asia/Shanghai",
  香港: "Asia/Hong_Kong",
  台北: "Asia/Taipei",
  新加坡: "Asia/Singapore",
  东京: "Asia/Tokyo",
  首尔: "Asia/Seoul",
  伦敦: "Europe/London",
  巴黎: "Europe/Paris",
  柏林: "Europe/Berlin",
  莫斯科: "Europe/Moscow",
  纽约: "America/New_York",
  旧金山: "America/Los_Angeles",
  洛杉矶: "America/Los_Angeles",
  悉尼: "Australia/Sydney",
  utc: "UTC",
};

/** By the city that a zone is named after. */
export function findZone(city: string): string | undefined {
  const name = city.trim().toLowerCase().replaceAll(" ", "_");
  if (name === "") return undefined;
  const known = Object.hasOwn(cities, name) ? cities[name] : undefined;
  return known ?? Intl.supportedValuesOf("timeZone").find((zone) => toCity(zone) === name);
}

function toCity(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).toLowerCase();
}

export const chineseCities = Object.keys(cities).filter((name) => /\p{Script=Han}/u.test(name));
