// Dates that a question speaks of, in English and Chinese, as stretches of local time: "last May", "two weeks ago", 上周.
// What is said without a year lies in the past. Knows nothing of what is searched.

export interface TimeRange {
  from: number;
  /** Not included. */
  to: number;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays = "sun mon tue wed thu fri sat".split(" ");
const seasons: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const numbers: Record<string, number> = {
  ...Object.fromEntries(
    "one two three four five six seven eight nine ten".split(" ").map((word, at) => [word, at + 1]),
  ),
  ...Object.fromEntries([..."一二三四五六七八九十"].map((word, at) => [word, at + 1])),
  ...{ a: 1, an: 1, couple: 2, few: 3, several: 4, 两: 2, 半: 0.5, 几: 3, 十一: 11, 十二: 12, 日: 0, 天: 0 },
};

const month = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
const day = String.raw`(?<day>[12]?\d|3[01])(?:st|nd|rd|th)?\b`;
const year = String.raw`(?<year>(?:19|20)\d\d)\b`;
const count = String.raw`(?<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple(?: of)?|(?:a )?few|several)`;
const weekday = String.raw`(?<weekday>sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\b`;
const wideNumber = "[一二三四五六七八九十]{1,3}|\\d{1,2}";

type Parts = Record<string, string | undefined>;
type Reader = (parts: Parts, now: Date) => TimeRange | undefined;

/** The more specific ones first: what one of them has read is not read again. */
const readers: Array<[pattern: string, read: Reader]> = [
  [String.raw`(?<year>(?:19|20)\d\d)[-/.](?<number>\d{1,2})[-/.](?<day>\d{1,2})\b`, toDay],
  [String.raw`\b${day}(?: of)? ${month},?(?: ${year})?`, toDay],
  [String.raw`\b${month} ${day}(?:,? ${year})?`, toDay],
  [String.raw`\b${month},?(?: of)? ${year}`, toMonth],
  [String.raw`\b(?<which>last|this|in|since|during|of|by|early|late|mid|until|around) ${month}`, toMonth],
  [String.raw`\b${count} (?<unit>day|week|weekend|month|year)s? ago\b`, toAgo],
  [String.raw`\b(?<which>last|past|previous|this) (?<unit>week|weekend|month|year)\b`, toUnit],
  [String.raw`\b(?<which>last|past|this) (?<season>spring|summer|autumn|fall|winter)\b`, toSeason],
  [String.raw`\b(?:last |past |on |this )${weekday}`, toWeekday],
  [String.raw`\bthe day before yesterday\b`, (_, now) => daysFrom(now, -2)],
  [String.raw`\byesterday\b|\blast night\b`, (_, now) => daysFrom(now, -1)],
  [String.raw`\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b`, (_, now) => daysFrom(now, 0)],
  [String.raw`\b(?:in|during|since|of|by|before|after|until|from) ${year}`, toYear],
  [
    `(?:(?<year>(?:19|20)\\d\\d)年|(?<past>去年|前年|今年))?的?(?:(?<number>${wideNumber})月)(?:(?<day>${wideNumber}|[二三]十[一二三四五六七八九]?)[日号])?`,
    (parts, now) => (parts.day === undefined ? toMonth(parts, now) : toDay(parts, now)),
  ],
  [`(?<year>(?:19|20)\\d\\d)年|(?<past>去年|前年|今年)`, toYear],
  [`(?<count>${wideNumber}|[两半几])个?(?<unit>天|日|周|星期|礼拜|月|年)(?:以)?前`, toAgo],
  [`(?<which>上上|上|本|这|这一)个?(?:周|星期|礼拜)(?<weekday>[一二三四五六日天])`, toWeekday],
  [`(?<which>上上|上|本|这|这一)个?(?<unit>周末|周|星期|礼拜|月)`, toUnit],
  ["大前天", (_, now) => daysFrom(now, -3)],
  ["前天|前晚", (_, now) => daysFrom(now, -2)],
  ["昨天|昨晚|昨日", (_, now) => daysFrom(now, -1)],
  ["今天|今早|今晚|今日", (_, now) => daysFrom(now, 0)],
];

/** Compiled with the first question. */
let compiled: Array<[pattern: RegExp, read: Reader]> | undefined;

export function findDates(text: string, now: number): TimeRange[] {
  compiled ??= readers.map(([pattern, read]) => [new RegExp(pattern, "g"), read]);
  const today = new Date(now);
  const found: TimeRange[] = [];
  let rest = text.toLowerCase().normalize("NFKC");
  for (const [pattern, read] of compiled) {
    rest = rest.replace(pattern, (match: string, ...details: unknown[]) => {
      const range = read((details.at(-1) ?? {}) as Parts, today);
      if (range === undefined || Number.isNaN(range.from)) return match;
      found.push(range);
      return " ";
    });
  }
  return found;
}

/** How near a moment is to the nearest of the ranges, from 0 to 1. What happened is talked about for days after it. */
export function nearness(at: number, ranges: readonly TimeRange[]): number {
  let most = 0;
  for (const { from, to } of ranges) {
    const days = (at < from ? from - at : Math.max(0, at - to)) / 86_400_000;
    most = Math.max(most, Math.exp(-days / (at < from ? 1 : 7)));
  }
  return most;
}

function toDay(parts: Parts, now: Date): TimeRange | undefined {
  const date = toNumber(parts.day);
  const year = toYearNumber(parts, now);
  const at = monthOf(parts);
  if (at === undefined || date === undefined || date < 1 || date > 31) return undefined;
  return span(
    lastBefore(now, year, (one) => new Date(one, at, date)),
    (start) => start.setDate(date + 1),
  );
}

function toMonth(parts: Parts, now: Date): TimeRange | undefined {
  const at = monthOf(parts);
  if (at === undefined) return undefined;
  const year = toYearNumber(parts, now);
  return span(
    lastBefore(now, year, (one) => new Date(one, at, 1)),
    (start) => start.setMonth(at + 1),
  );
}

function toYear(parts: Parts, now: Date): TimeRange | undefined {
  const year = toYearNumber(parts, now);
  return year === undefined ? undefined : { from: +new Date(year, 0, 1), to: +new Date(year + 1, 0, 1) };
}

/** A range as wide as the unit, around that long ago: nobody counts to the day. */
function toAgo({ count: said = "", unit = "" }: Parts, now: Date): TimeRange | undefined {
  const number = toNumber(said.replace(/^a (?=\w)| of$/g, ""));
  if (number === undefined) return undefined;
  const days = { 天: 1, 日: 1, day: 1, 月: 30.4, month: 30.4, 年: 365.25, year: 365.25 }[unit] ?? 7;
  const middle = +startOfDay(now) + 43_200_000 - number * days * 86_400_000;
  return { from: middle - days * 43_200_000, to: middle + days * 43_200_000 };
}

function toUnit({ which = "", unit = "" }: Parts, now: Date): TimeRange {
  const back = which === "上上" ? 2 : /^(last|past|previous|上)$/.test(which) ? 1 : 0;
  const [y, m] = [now.getFullYear(), now.getMonth()];
  if (unit === "year") return { from: +new Date(y - back, 0, 1), to: +new Date(y - back + 1, 0, 1) };
  if (/^(month|月)$/.test(unit))
    return { from: +new Date(y, m - back, 1), to: +new Date(y, m - back + 1, 1) };
  const sinceMonday = (now.getDay() + 6) % 7;
  const isWeekend = /weekend|周末/.test(unit);
  return daysFrom(now, -sinceMonday - 7 * back + (isWeekend ? 5 : 0), isWeekend ? 2 : 7);
}

function toSeason({ which, season = "" }: Parts, now: Date): TimeRange {
  const first = seasons[season] ?? 0;
  const start = lastBefore(now, undefined, (year) => new Date(year, first + (which === "this" ? 0 : 3), 1));
  if (which !== "this") start.setMonth(start.getMonth() - 3);
  return span(start, (end) => end.setMonth(end.getMonth() + 3));
}

function toWeekday({ which = "", weekday: said = "" }: Parts, now: Date): TimeRange {
  const wanted = weekdays.indexOf(said.slice(0, 3));
  if (wanted >= 0) return daysFrom(now, -((now.getDay() - wanted + 6) % 7) - 1);
  const inWeek = ((numbers[said] ?? 0) + 6) % 7;
  const back = which === "上上" ? 14 : which === "上" ? 7 : 0;
  return daysFrom(now, inWeek - ((now.getDay() + 6) % 7) - back);
}

function monthOf({ month: name, number }: Parts): number | undefined {
  const at = name === undefined ? (toNumber(number) ?? 0) - 1 : months.indexOf(name.slice(0, 3));
  return at >= 0 && at < 12 ? at : undefined;
}

function toYearNumber({ year: digits, past, which }: Parts, now: Date): number | undefined {
  if (digits !== undefined) return Number(digits);
  const back = { 今年: 0, 去年: 1, 前年: 2, this: 0 }[past ?? which ?? ""];
  return back === undefined ? undefined : now.getFullYear() - back;
}

/** `12`, `two`, `十二`, `二十三`. */
function toNumber(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  const tens = /^([二三])?十([一二三四五六七八九])?$/.exec(said);
  if (tens !== null) return (numbers[tens[1] ?? "一"] ?? 1) * 10 + (numbers[tens[2] ?? ""] ?? 0);
  return numbers[said] ?? (/^\d+$/.test(said) ? Number(said) : undefined);
}

/** In the given year, or in the last one in which it was not yet to come. */
function lastBefore(now: Date, year: number | undefined, toDate: (year: number) => Date): Date {
  const date = toDate(year ?? now.getFullYear());
  return year === undefined && date > now ? toDate(now.getFullYear() - 1) : date;
}

function span(start: Date, move: (end: Date) => void): TimeRange {
  const end = new Date(start);
  move(end);
  return { from: +start, to: +end };
}

function daysFrom(now: Date, days: number, length = 1): TimeRange {
  const start = startOfDay(now);
  start.setDate(start.getDate() + days);
  return span(start, (end) => end.setDate(end.getDate() + length));
}

function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}
