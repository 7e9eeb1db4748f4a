// Times in plain words, English and Chinese, and what the tool cron makes of them. chrono-node reads single moments; what
// repeats, Chinese intervals and cities are ours. Wall times are numbers as if the user lived in UTC.
import { casual as english, type ParsedResult } from "chrono-node/en";
import { casual as chinese } from "chrono-node/zh/hans";

export interface FoundTime {
  /** Arguments of the tool. */
  schedule: { at?: string; every_seconds?: number; cron_expr?: string; tz?: string };
  /** The words around it. */
  before: string;
  after: string;
}

interface Candidate {
  start: number;
  end: number;
  schedule: FoundTime["schedule"];
  /** It names a time of day, and a city may say whose. */
  isClock?: boolean;
}

const dayMs = 86_400_000;
const longestMs = 3_660 * dayMs;

/** A time before or behind everything else: one inside a sentence is not meant. */
export function findTime(text: string, now: number): FoundTime | undefined {
  const candidates = isChinese(text) ? findChinese(text, now) : findEnglish(text, now);
  for (const candidate of candidates) {
    const foundTime = toFoundTime(text, candidate);
    if (foundTime.before === "" || foundTime.after === "") return foundTime;
  }
  return undefined;
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function toFoundTime(text: string, { start, end, schedule, isClock = false }: Candidate): FoundTime {
  const sides = { before: text.slice(0, start), after: text.slice(end) };
  const { zone, before, after } = isClock ? takeZone(sides) : { ...sides, zone: undefined };
  return {
    schedule: zone === undefined ? schedule : { ...schedule, tz: zone },
    before: trim(before.replace(/(?:(?:^|\s)(?:on|at|by)(?:\s+the)?\s*|在)$/i, "")),
    after: trim(after),
  };
}

function trim(words: string): string {
  return words.replace(/^[\s,，:：、]+|[\s,，]+$/g, "");
}

const englishDay = "(?:sun|mon|tues|wednes|thurs|fri|satur)day";
const englishDays = `${englishDay}s?(?:\\s*(?:,|and|&)\\s*${englishDay}s?)*|(?:week|working |work)days?|weekends?`;
const englishInterval =
  /\b(?:every\s+(?!day\b)(?<span>(?:[\w.]+\s+){0,2}?(?:sec(?:ond)?|min(?:ute)?|hour|day|week)s?)|hourly)\b/i;
const englishRhythm = new RegExp(
  `\\b(?:(?:(?:every|each)\\s+(?:(?<days>${englishDays})|month\\s+on\\s+the\\s+(?<date>\\d{1,2})(?:st|nd|rd|th)|day)|on\\s+(?<plural>(?:${englishDay}|weekday|weekend)s)|daily)\\b|(?:every|each)\\s+(?=morning|afternoon|evening|night))`,
  "i",
);

function* findEnglish(text: string, now: number): Generator<Candidate> {
  const interval = englishInterval.exec(text);
  const span = interval?.groups?.span?.replace(/^other\b/i, "2") ?? "hour";
  const next = english.parseDate(`in ${span.includes(" ") ? span : `a ${span}`}`, toReference(now));
  if (interval !== null && isUsual(Number(next) - now))
    yield { ...toSpan(interval), schedule: { every_seconds: Math.round((Number(next) - now) / 1000) } };
  const rhythm = englishRhythm.exec(text);
  const { days, plural, date } = rhythm?.groups ?? {};
  if (rhythm !== null)
    yield* findRhythm(text, rhythm, { date, weekdays: toEnglishWeekdays(days ?? plural), now });
  yield* findMoments(text, now);
}

function toEnglishWeekdays(days: string | undefined): string {
  if (days === undefined) return "*";
  if (/^w(?:eek|ork)/i.test(days)) return /^weekend/i.test(days) ? "0,6" : "1-5";
  const names = days.toLowerCase().match(new RegExp(englishDay, "g")) ?? [];
  return names.map((name) => ["su", "mo", "tu", "we", "th", "fr", "sa"].indexOf(name.slice(0, 2))).join(",");
}

const chineseNumber = "(?:\\d+|[零一二两三四五六七八九十]+)";
const chineseWeek = "(?:周|星期|礼拜)";
const chineseSpan = `(?:${chineseNumber}|半)个?半?(?:秒|分|刻|小时|钟头|天|${chineseWeek})钟?`;
const chineseIn = new RegExp(
  `再?过(?<first>${chineseSpan})(?:之后|以后|后)?|(?<second>${chineseSpan})(?:之后|以后|后)`,
);
const chineseEvery = new RegExp(`每隔?(?<span>${chineseSpan}|个?(?:小时|钟头|分钟))(?:一次)?`);
const chineseRhythm = new RegExp(
  `(?:每个?|逢)${chineseWeek}(?<days>[一二三四五六日天](?:[、和及到至]${chineseWeek}?[一二三四五六日天])*|末)|(?:每个?)?(?<working>工作日)|每个?月的?(?<date>${chineseNumber})[号日]|每[天日]|每(?=[早晚夜]|[上下中]午|清晨|凌晨|傍晚)`,
);

function* findChinese(text: string, now: number): Generator<Candidate> {
  const every = chineseEvery.exec(text);
  const seconds = toSeconds(every?.groups?.span);
  if (every !== null && isUsual(seconds * 1000))
    yield { ...toSpan(every), schedule: { every_seconds: seconds } };
  const rhythm = chineseRhythm.exec(text);
  const { days, working, date } = rhythm?.groups ?? {};
  if (rhythm !== null) {
    const weekdays = working === undefined ? toChineseWeekdays(days) : "1-5";
    yield* findRhythm(text, rhythm, { date: date && String(toNumber(date)), weekdays, now });
  }
  const once = chineseIn.exec(text);
  const delay = toSeconds(once?.groups?.first ?? once?.groups?.second) * 1000;
  if (once !== null && isUsual(delay)) yield { ...toSpan(once), schedule: { at: toIso(now + delay) } };
  yield* findMoments(text, now);
}

function toSeconds(span = ""): number {
  const [, count = "1", half, unit = ""] = /^(半|[\d零一二两三四五六七八九十]+)?个?(半)?(.)/.exec(span) ?? [];
  const units: Record<string, number> = { 秒: 1, 分: 60, 刻: 900, 小: 3600, 钟: 3600, 天: 86_400 };
  const number = (count === "半" ? 0.5 : toNumber(count)) + (half === undefined ? 0 : 0.5);
  return Math.round(number * (units[unit] ?? 604_800));
}

function toNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const digit = (sign: string) => (sign === "两" ? 2 : "零一二三四五六七八九".indexOf(sign));
  const [, tens, ones = ""] = /^(.?)十(.?)$/.exec(text) ?? [];
  if (tens === undefined) return text.length === 1 ? digit(text) : Number.NaN;
  return (tens === "" ? 1 : digit(tens)) * 10 + (ones === "" ? 0 : digit(ones));
}

function toChineseWeekdays(days: string | undefined): string {
  if (days === undefined) return "*";
  if (days === "末") return "0,6";
  const all = [...days.replace(/星期|礼拜/g, "")].filter((sign) => /[一二三四五六日天]/.test(sign));
  const numbers = all.map((sign) => "日一二三四五六天".indexOf(sign) % 7);
  const [first = 1, last = 0] = numbers;
  return /[到至]/.test(days) ? `${first}-${last === 0 ? 7 : last}` : numbers.join(",");
}

function isUsual(ms: number): boolean {
  return ms >= 1000 && ms <= longestMs;
}

function toSpan({ index, 0: words }: RegExpExecArray): { start: number; end: number } {
  return { start: index, end: index + words.length };
}

/** With the time of day that follows it or is right before it; without one it is nine o'clock. */
function* findRhythm(
  text: string,
  found: RegExpExecArray,
  { date = "*", weekdays, now }: { date: string | undefined; weekdays: string; now: number },
): Generator<Candidate> {
  const { start, end } = toSpan(found);
  const isDay = date === "*" || (Number(date) >= 1 && Number(date) <= 31);
  // The library knows 晚上八点, not 晚八点.
  const rest = text.slice(end).replace(/^[早晚](?![上晨])/, "$&上");
  const added = rest.length - (text.length - end);
  const next = parse(rest, now).find(
    (result) => isClock(result) && /^\s*(?:at\s+|by\s+|的)?$/i.test(rest.slice(0, result.index)),
  );
  const before = text.slice(0, start).trimEnd();
  const last = parse(before, now).find(
    (result) => isClock(result) && result.index + result.text.length === before.length,
  );
  const clock = next ?? last;
  const [hour, minute] = clock === undefined ? [9, 0] : toClock(clock);
  if (isDay)
    yield {
      start: next === undefined && last !== undefined ? last.index : start,
      end: next === undefined ? end : end + next.index + next.text.length - added,
      schedule: { cron_expr: `${minute} ${hour} ${date} * ${weekdays}` },
      isClock: true,
    };
}

function isClock({ text, start }: ParsedResult): boolean {
  return (
    /^(?:[早晚]上|[上中下]午|凌晨)/.test(text) || !(start.isCertain("day") || start.isCertain("weekday"))
  );
}

function* findMoments(text: string, now: number): Generator<Candidate> {
  for (const result of parse(text, now)) {
    const { index, text: words, start } = result;
    const isNamed = (["hour", "day", "weekday"] as const).some((part) => start.isCertain(part));
    const isHere = (start.get("timezoneOffset") ?? 0) === 0 && !/(?:UTC|GMT)$/.test(words);
    const at = toMoment(result, now);
    if (isHere && (isNamed || /^this\s/i.test(words)) && isUsual(at - now))
      yield {
        start: index,
        end: index + words.length,
        schedule: { at: toIso(at) },
        isClock: !/^in\s/i.test(words),
      };
  }
}

/** Chinese words that the library does not know become ones of the same length that it knows. */
function parse(text: string, now: number): ParsedResult[] {
  if (!isChinese(text)) return english.parse(text, toReference(now), { forwardDate: true });
  const known = text
    .replace(/傍晚|夜里/g, "晚上")
    .replace(/清晨/g, "早上")
    .replace(/点一刻/g, "点15")
    .replace(/点三刻/g, "点45");
  return chinese.parse(known, toReference(now), { forwardDate: true });
}

function toReference(now: number): { instant: Date; timezone: number } {
  return { instant: new Date(now), timezone: 0 };
}

function toMoment(result: ParsedResult, now: number): number {
  const { text, start } = result;
  const [hour, minute, second] = toClock(result);
  const value = (part: "year" | "month" | "day" | "weekday") => start.get(part) ?? 0;
  const clock = ((hour * 60 + minute) * 60 + second) * 1000;
  // In Chinese a week begins on Monday.
  const next = /^下/.test(text) && start.isCertain("weekday");
  const monday = now - (now % dayMs) + (7 - ((new Date(now).getUTCDay() + 6) % 7)) * dayMs;
  const at = next
    ? monday + ((value("weekday") + 6) % 7) * dayMs + clock
    : Date.UTC(value("year"), value("month") - 1, value("day")) + clock;
  const hasDay = start.isCertain("day") || start.isCertain("weekday");
  const mayBeEvening =
    start.isCertain("hour") &&
    !start.isCertain("meridiem") &&
    hour > 0 &&
    hour < 12 &&
    !/morning/i.test(text);
  // "At 5" is the next five o'clock; "today at 5" is over in the morning and still comes in the evening.
  if (mayBeEvening && !hasDay && at - dayMs / 2 > now) return at - dayMs / 2;
  if (mayBeEvening && hasDay && at <= now) return at + dayMs / 2;
  return hasDay || at > now ? at : at + dayMs;
}

const usualHours: Array<[RegExp, number]> = [
  [/afternoon|下午/i, 15],
  [/noon|midday|中午/i, 12],
  [/evening|tonight|晚/i, 19],
  [/night|夜/i, 21],
];

/** Hour, minute and second; where none is named, what people mean by a morning or a day. */
function toClock({ text, start }: ParsedResult): [hour: number, minute: number, second: number] {
  const isExact = start.isCertain("hour") || /^in\s|from now$|later$/i.test(text);
  if (isExact) return [start.get("hour") ?? 0, start.get("minute") ?? 0, start.get("second") ?? 0];
  return [usualHours.find(([words]) => words.test(text))?.[1] ?? 9, 0, 0];
}

function toIso(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19);
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

interface Sides {
  before: string;
  after: string;
}

/** "in Shanghai", "in New York", "Tokyo time" behind a time, 上海时间 before it. */
function takeZone({ before, after }: Sides): Sides & { zone: string | undefined } {
  const chineseCity = /(?:按照?|在)?(\p{Script=Han}{2,3}?)时间的?$/u.exec(before);
  const zone = findZone(chineseCity?.[1]?.replace(/^[按照在]+/, ""));
  if (chineseCity !== null && zone !== undefined)
    return { zone, before: before.slice(0, chineseCity.index), after };
  for (const city of ["\\p{L}+[ _]\\p{L}+", "\\p{L}+"]) {
    const cityMatch = new RegExp(`^\\s+(in\\s+)?(${city})(\\s+time\\b)?`, "iu").exec(after);
    const named = cityMatch?.[1] ?? cityMatch?.[3];
    const zone = named === undefined ? undefined : findZone(cityMatch?.[2]);
    if (zone !== undefined) return { zone, before, after: after.slice(cityMatch?.[0].length) };
  }
  return { zone: undefined, before, after };
}

/** By the city that a zone is named after. */
function findZone(city = ""): string | undefined {
  const name = city.toLowerCase().replaceAll(" ", "_");
  if (Object.hasOwn(cities, name)) return cities[name];
  return Intl.supportedValuesOf("timeZone").find((zone) => zone.split("/").at(-1)?.toLowerCase() === name);
}
