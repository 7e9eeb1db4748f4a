// Dates that a text speaks of, in English and Chinese, as stretches of local time, counted from when it was said: "last May",
// "two weeks ago", 上周. What is said without a year is in the past, or in the half year to come. Knows nothing of what
// is searched.

import { toLocalIso } from "../../lib/clock.ts";

export interface TimeRange {
  from: number;
  /** Not included. */
  to: number;
}

const dayMs = 86_400_000;
const halfYearMs = 182 * dayMs;
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays = "sun mon tue wed thu fri sat".split(" ");
const stepsBack = toTable("上上=2 last=1 past=1 previous=1 上=1 next=-1 coming=-1 下=-1 下下=-2");
const seasons = toTable("spring=2 summer=5 autumn=8 fall=8 winter=11");
const unitDays = toTable("day=1 天=1 日=1 month=30.4 月=30.4 year=365.25 年=365.25");
const numbers = toTable(
  "a=1 an=1 one=1 couple=2 two=2 few=3 three=3 several=4 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 " +
    "半=0.5 一=1 二=2 两=2 三=3 几=3 四=4 五=5 六=6 七=7 八=8 九=9 日=7 天=7",
);

const month = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
const day = String.raw`(?<day>[12]?\d|3[01])(?:st|nd|rd|th)?\b`;
const year = String.raw`(?<year>(?:19|20)\d\d)`;
const which = "(?<which>last|past|previous|this|next|coming)";
const wide = String.raw`(?:[一二三四五六七八九十]{1,3}|\d{1,2})`;
const wideWhich = "(?<which>上上|上|本|这|下下|下)一?个?";

/** In months, the longest that is meant by name; and up to how many days each is one of them. */
const longestNamed = 32;
const fewDays = 10;
const mostRanges = 8;
const timeWords =
  /\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this|past|coming) (?:night|week|month|year|weekend|summer|winter|spring|fall|autumn|morning|evening|march|may)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:last|next|this|on) (?:mon|tue|wed|thu|fri|sat|sun)|january|february|april|june|july|august|september|october|november|december|in (?:march|may)|(?:[12]?\d|3[01])(?:st|nd|rd|th)|(?:19|20)\d\d|days|weeks|months|years)\b|[昨今明后前][天晚]|[上下本这]一?个?(?:周|星期|礼拜|月)|[去今明前]年|[\d一二三四五六七八九十]月|[\d一二三四五六七八九十][日号]|[天日周月年]以?前|星期[一二三四五六日天]/iu;

type Parts = Record<string, string | undefined>;
type Reader = (parts: Parts, now: Date) => TimeRange | TimeRange[] | undefined;

/** The more specific ones first: what one of them has read is not read again. */
const readers: Array<[pattern: string, read: Reader]> = [
  [String.raw`${year}[-/.](?<number>\d{1,2})[-/.](?<day>\d{1,2})\b`, toDate],
  [String.raw`\b${day}(?: of)? ${month},?(?: ${year}\b)?`, toDate],
  [String.raw`\b${month} ${day}(?:,? ${year}\b)?`, toDate],
  [String.raw`\b${month},?(?: of)? ${year}\b`, toDate],
  [String.raw`\b(?<which>last|this|next|in|since|during|of|by|early|late|mid|until|around) ${month}`, toDate],
  [String.raw`\b(?:in|during|since|of|by|before|after|until|from) ${year}\b`, toDate],
  [String.raw`\b(?:a )?(?<count>\w+)(?: of)? (?<unit>day|week|weekend|month|year)s? ago\b`, toAgo],
  [String.raw`\b${which} (?<unit>weekend|week|month|year)\b`, toUnit],
  [String.raw`\b${which} (?<season>spring|summer|autumn|fall|winter)\b`, toSeason],
  [
    String.raw`\b(?<which>last|past|on|this|next|coming) (?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:(?:s|nes|rs|ur)?day)?\b`,
    toWeekday,
  ],
  [String.raw`\bday before yesterday\b|前天|前晚`, (_, now) => toDays(now, -2)],
  [String.raw`\bday after tomorrow\b|后天`, (_, now) => toDays(now, 2)],
  [String.raw`\btomorrow\b|明[天早晚日]`, (_, now) => toDays(now, 1)],
  [String.raw`\byesterday\b|\blast night\b|昨[天晚日]`, (_, now) => toDays(now, -1)],
  [String.raw`\btoday\b|\btonight\b|\bthis (?:morning|evening)\b|今[天早晚日]`, (_, now) => toDays(now, 0)],
  [`(?:${year}年|(?<past>[去前今明]年))的?(?:(?<number>${wide})月)?(?:(?<day>${wide})[日号])?`, toDate],
  [`(?<number>${wide})月(?:(?<day>${wide})[日号])?(?!前)`, toDate],
  [`(?<count>${wide}|[两半几])个?(?<unit>[天日周月年]|星期|礼拜)以?前`, toAgo],
  [`${wideWhich}(?:周|星期|礼拜)(?<weekday>[一二三四五六日天])`, toWeekday],
  [`${wideWhich}(?<unit>周末|周|星期|礼拜|月)`, toUnit],
];

/** Compiled with the first question. */
let compiled: Array<[pattern: RegExp, read: Reader]> | undefined;

export function findDates(text: string, now: number): TimeRange[] {
  return takeDates(text, now).dates;
}

/** Dates are looked for so far: a text of megabytes speaks of more than can be kept of it. */
const longestText = 4_000;

/** With what else the text says. */
export function takeDates(text: string, now: number): { dates: TimeRange[]; rest: string } {
  compiled ??= readers.map(([pattern, read]) => [new RegExp(pattern, "gi"), read]);
  const dates: TimeRange[] = [];
  let rest = text.slice(0, longestText).normalize("NFKC");
  for (const [pattern, read] of compiled) {
    rest = rest.replace(pattern, (match: string, ...details: unknown[]) => {
      if (dates.length >= mostRanges) return match;
      const parts = Object.entries((details.at(-1) ?? {}) as Parts);
      const ranges = read(
        Object.fromEntries(parts.map(([name, part]) => [name, part?.toLowerCase()])),
        new Date(now),
      );
      if (ranges === undefined) return match;
      dates.push(...[ranges].flat());
      return " ";
    });
  }
  return { dates, rest: rest + text.slice(longestText) };
}

/** Whether a text says when something is: cheap, for every message. */
export function saysWhen(text: string): boolean {
  return timeWords.test(text);
}

/** Whether a question asks for a time. */
export function asksWhen(text: string): boolean {
  return /^\W*(?:when|since when|how long|what (?:day|date|month|year|time))\b|什么时候|什么时间|何时|哪一?天|几号|几月|哪个月|哪一?年|多久/i.test(
    text,
  );
}

/**
 * Tokens for the days and months that a text speaks of, which no word is written like. A message about 5 March is found by
 * that day and by that month; a question about a year is answered by when something was said.
 */
export function toDateTokens(ranges: readonly TimeRange[]): Set<string> {
  const tokens = new Set<string>();
  for (const { from, to } of ranges.slice(0, mostRanges)) {
    const days = Math.round((to - from) / dayMs);
    if (days > longestNamed) continue;
    const middle = toLocalIso((from + to) / 2);
    tokens.add(`@${middle.slice(0, 7)}`);
    if (days > fewDays) continue;
    for (let day = 0; day < days; day += 1)
      tokens.add(
        `@${toLocalIso(+new Date(new Date(from).setDate(new Date(from).getDate() + day))).slice(0, 10)}`,
      );
  }
  return tokens;
}

/** Days around a range in which nearness falls to a third. What has happened is talked about for days. */
const fading = { before: 1, after: 7 };

/** How near a moment is to the nearest range, from 0 to 1. */
export function nearness(at: number, ranges: readonly TimeRange[]): number {
  return ranges.reduce((most, { from, to }) => {
    const days = (at < from ? from - at : Math.max(0, at - to)) / dayMs;
    return Math.max(most, Math.exp(-days / (at < from ? fading.before : fading.after)));
  }, 0);
}

/** With all that is at least half as near as what is within. */
export function widen({ from, to }: TimeRange): TimeRange {
  const half = Math.LN2 * dayMs;
  return { from: from - half * fading.before, to: to + half * fading.after };
}

/** A day, a month or a year, by what was said of it. */
function toDate(
  { which: told = "", year: digits, past, month: name, number, day: said }: Parts,
  now: Date,
): TimeRange[] | undefined {
  const ago = { 明年: -1, 今年: 0, 去年: 1, 前年: 2 }[past ?? ""];
  const given = digits === undefined ? ago && now.getFullYear() - ago : Number(digits);
  const named = name === undefined ? (toNumber(number) ?? 1) - 1 : months.indexOf(name.slice(0, 3));
  const date = toNumber(said) ?? 1;
  if (named < 0 || named > 11 || date < 1 || date > 31) return undefined;
  const isYear = name === undefined && number === undefined;
  const toRange = (one: number): TimeRange =>
    said !== undefined
      ? toDays(new Date(one, named, date), 0)
      : { from: +new Date(one, named), to: +new Date(one + (isYear ? 1 : 0), named + (isYear ? 0 : 1), 1) };
  if (given !== undefined) return [toRange(given)];
  const years = [-1, 0, 1].map((one) => toRange(now.getFullYear() + one));
  const last = years.findLast(({ from }) => from <= +now);
  const next = years.find(({ from }) => from > +now && from < +now + halfYearMs);
  const back = stepsBack.get(told) ?? 0;
  return [back >= 0 ? last : undefined, back <= 0 ? next : undefined].flatMap((range) => range ?? []);
}

/** As wide as its unit: nobody counts to the day. */
function toAgo({ count, unit = "" }: Parts, now: Date): TimeRange | undefined {
  const number = toNumber(count);
  if (number === undefined) return undefined;
  const length = (unitDays.get(unit) ?? 7) * dayMs;
  const middle = toDays(now, 0).from + dayMs / 2 - number * length;
  const half = (Math.min(1, number) * length) / 2;
  return { from: middle - half, to: middle + half };
}

function toUnit({ which: said = "", unit = "" }: Parts, now: Date): TimeRange {
  const back = stepsBack.get(said) ?? 0;
  const [y, m] = [now.getFullYear(), now.getMonth()];
  if (unit === "year") return { from: +new Date(y - back, 0), to: +new Date(y - back + 1, 0) };
  if (unit === "month" || unit === "月")
    return { from: +new Date(y, m - back), to: +new Date(y, m - back + 1) };
  const monday = -((now.getDay() + 6) % 7) - 7 * back;
  return /weekend|周末/.test(unit) ? toDays(now, monday + 5, 2) : toDays(now, monday, 7);
}

/** The last one that is over, or that has begun. */
function toSeason({ which: said, season = "" }: Parts, now: Date): TimeRange | undefined {
  if (stepsBack.get(said ?? "") === -1) return undefined;
  const first = seasons.get(season) ?? 0;
  const isToCome = new Date(now.getFullYear(), first + (said === "this" ? 0 : 3)) > now;
  const y = now.getFullYear() - (isToCome ? 1 : 0);
  return { from: +new Date(y, first), to: +new Date(y, first + 3) };
}

/** In Chinese, of the week that is named; in English the last one or the next one, or both where neither is said. */
function toWeekday({ which: said = "", weekday = "" }: Parts, now: Date): TimeRange[] {
  const back = stepsBack.get(said) ?? 0;
  const wanted = weekdays.indexOf(weekday);
  if (wanted < 0) {
    const monday = -((now.getDay() + 6) % 7) - 7 * back;
    return [toDays(now, monday + (numbers.get(weekday) ?? 1) - 1)];
  }
  const last = -((now.getDay() - wanted + 6) % 7) - 1;
  const next = ((wanted - now.getDay() + 7) % 7) + (back < 0 && wanted === now.getDay() ? 7 : 0);
  return [...(back >= 0 ? [toDays(now, last)] : []), ...(back <= 0 ? [toDays(now, next)] : [])];
}

/** `12`, `two`, `十二`, `二十三`. */
function toNumber(said: string | undefined): number | undefined {
  if (said === undefined || /^\d+$/.test(said)) return said && Number(said) ? Number(said) : undefined;
  const tens = /^([二三四五六七八九])?十([一二三四五六七八九])?$/.exec(said);
  if (tens === null) return numbers.get(said);
  return (numbers.get(tens[1] ?? "一") ?? 1) * 10 + (numbers.get(tens[2] ?? "") ?? 0);
}

function toDays(now: Date, days: number, length = 1): TimeRange {
  const [y, m, d] = [now.getFullYear(), now.getMonth(), now.getDate() + days];
  return { from: +new Date(y, m, d), to: +new Date(y, m, d + length) };
}

function toTable(text: string): Map<string, number> {
  return new Map(text.split(" ").map((pair) => [pair.split("=")[0] ?? "", Number(pair.split("=")[1])]));
}
