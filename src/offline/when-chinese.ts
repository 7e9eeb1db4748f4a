// Times as they are said in Chinese: 二十分钟后, 明天早上八点, 每个工作日九点.
import {
  type ClockTime,
  chineseCities,
  type FoundWhen,
  findZone,
  toClock,
  toInterval,
  toOnce,
  usualClocks,
  type When,
} from "./when.ts";

const digits = "零一二三四五六七八九";
const number = "(?:\\d+|[零一二两三四五六七八九十百]+)";
const parts: Record<string, string> = {
  凌晨: "morning",
  清晨: "morning",
  早上: "morning",
  早晨: "morning",
  上午: "morning",
  早: "morning",
  中午: "noon",
  下午: "afternoon",
  傍晚: "evening",
  晚上: "evening",
  夜里: "night",
  晚: "evening",
};
const near: Record<string, number> = { 今天: 0, 今: 0, 明天: 1, 明: 1, 后天: 2, 大后天: 3 };
const unitSeconds: Record<string, number> = { 秒: 1, 分: 60, 时: 3600, 天: 86_400, 周: 604_800 };

const part = `(?<part>${Object.keys(parts).join("|")})`;
const clock = `(?<hour>${number})(?:点钟?|[:：]|时)(?<minute>半|一刻|三刻|整|${number})?分?`;
const weekday = "[一二三四五六日天]";
const unit = "(?:个)?(?<unit>秒|分|时|天|周)";

type Groups = Record<string, string | undefined>;

/** Words for the same unit become one. */
const synonyms: Array<[RegExp, string]> = [
  [/秒钟/g, "秒"],
  [/分钟/g, "分"],
  [/小时|钟头/g, "时"],
  [/星期|礼拜/g, "周"],
];

const phrases: Array<[RegExp, (groups: Groups) => When | undefined]> = [
  [/^(?:再?过半个?时(?:后|之后|以后)?|半个?时(?:后|之后|以后))/, () => ({ kind: "in", seconds: 1800 })],
  [/^(?:再?过一刻钟(?:后|之后|以后)?|一刻钟(?:后|之后|以后))/, () => ({ kind: "in", seconds: 900 })],
  [
    new RegExp(`^(?:再?过)?(?<count>${number})个半时(?:后|之后|以后)`),
    ({ count }) => ({ kind: "in", seconds: (toNumber(count) + 0.5) * 3600 }),
  ],
  [
    new RegExp(`^(?:(?:再?过)(?<past>${number})${unit}(?:后|之后|以后)?)`),
    ({ past, unit: of }) => readInterval("in", past, of),
  ],
  [
    new RegExp(`^(?<count>${number})${unit}(?:后|之后|以后)`),
    ({ count, unit: of }) => readInterval("in", count, of),
  ],
  [
    new RegExp(`^每(?:隔)?(?<count>${number})${unit}(?:一次)?`),
    ({ count, unit: of }) => readInterval("every", count, of),
  ],
  [/^每(?:隔)?个?(?<unit>分|时)(?:一次)?/, ({ unit: of }) => readInterval("every", "1", of)],
  [
    new RegExp(`^每(?:个)?月(?:的)?(?<date>${number})[号日](?:的)?${part}?(?:${clock})?`),
    (groups) => toRepeat({ days: String(toNumber(groups.date)) }, groups),
  ],
  [
    new RegExp(
      `^(?:每个?周|逢周)(?<days>${weekday}(?:[、和及到至]周?${weekday})*|末)(?:的)?${part}?(?:${clock})?`,
    ),
    (groups) => toRepeat({ weekdays: toWeekdays(groups.days ?? "") }, groups),
  ],
  [
    new RegExp(`^(?:每个?)?工作日(?:的)?${part}?(?:${clock})?`),
    (groups) => toRepeat({ weekdays: "1-5" }, groups),
  ],
  [new RegExp(`^每(?:天|日)?(?:的)?${part}(?:${clock})?`), (groups) => toRepeat({}, groups)],
  [new RegExp(`^每(?:天|日)(?:的)?(?:${clock})?`), (groups) => toRepeat({}, groups)],
  [
    new RegExp(`^(?<near>大后天|今天|明天|后天|今(?=[早晚])|明(?=[早晚]))(?:的)?${part}?(?:${clock})?`),
    (groups) => toOnce({ inDays: near[groups.near ?? ""] ?? 0 }, readClock(groups)),
  ],
  [
    new RegExp(`^(?<next>下个?)?(?:这个?|本)?周(?<weekday>${weekday})(?:的)?${part}?(?:${clock})?`),
    (groups) => {
      const day = toWeekday(groups.weekday ?? "");
      return toOnce(
        { weekday: day, ...(groups.next !== undefined && { isNextWeek: true }) },
        readClock(groups),
      );
    },
  ],
  [
    new RegExp(
      `^(?:(?<year>\\d{4})[年-])?(?<month>${number})[月-](?<date>${number})[号日]?(?:的)?\\s*${part}?(?:${clock})?`,
    ),
    (groups) =>
      toOnce(
        {
          month: toNumber(groups.month),
          day: toNumber(groups.date),
          ...(groups.year !== undefined && { year: Number(groups.year) }),
        },
        readClock(groups),
      ),
  ],
  [new RegExp(`^${part}?${clock}`), (groups) => toOnce(undefined, readClock(groups))],
];

export function readChineseWhen(text: string): FoundWhen | undefined {
  const zoned = new RegExp(`^(?:按|按照|在)?(?<city>${chineseCities.join("|")})(?:时间)(?:的)?`).exec(text);
  const zone = zoned === null ? undefined : findZone(zoned.groups?.city ?? "");
  const start = zoned?.[0].length ?? 0;
  const found = readPhrase(text.slice(start).replace(/^在/, ""));
  if (found === undefined) return undefined;
  const lead = start + (text.slice(start).startsWith("在") ? 1 : 0);
  const { when, length } = found;
  const isZoned = zone !== undefined && (when.kind === "at" || when.kind === "repeat");
  return { when: isZoned ? { ...when, zone } : when, length: lead + length };
}

function readPhrase(text: string): FoundWhen | undefined {
  const plain = synonyms.reduce((words, [pattern, word]) => words.replace(pattern, word), text);
  for (const [pattern, read] of phrases) {
    const found = pattern.exec(plain);
    const when = found === null ? undefined : read({ ...found.groups });
    if (found !== null && when !== undefined)
      return { when, length: toOriginal(text, plain, found[0].length) };
  }
  return undefined;
}

/** How much of the text it was before its words were made alike. */
function toOriginal(text: string, plain: string, length: number): number {
  const rest = plain.length - length;
  for (let end = length; end <= text.length; end++) {
    const tail = synonyms.reduce((words, [pattern, word]) => words.replace(pattern, word), text.slice(end));
    if (tail.length === rest && plain.endsWith(tail)) return end;
  }
  return text.length;
}

function toNumber(text = ""): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [, tens, ones = ""] = /^(.*?)十(.*)$/.exec(text) ?? [];
  const digit = (sign: string) => (sign === "两" ? 2 : digits.indexOf(sign));
  if (tens === undefined) return text.length === 1 ? digit(text) : Number.NaN;
  return (tens === "" ? 1 : digit(tens)) * 10 + (ones === "" ? 0 : digit(ones));
}

function readInterval(kind: "in" | "every", count: string | undefined, of = ""): When | undefined {
  return toInterval(kind, toNumber(count) * (unitSeconds[of] ?? Number.NaN));
}

function toRepeat(which: { days?: string; weekdays?: string }, groups: Groups): When | undefined {
  const read = readClock(groups);
  return read && { kind: "repeat", ...which, clock: { hour: read.hour, minute: read.minute } };
}

function readClock({ hour, minute, part: named }: Groups): ClockTime | undefined {
  const when = named === undefined ? undefined : parts[named];
  if (hour === undefined) return usualClocks[when ?? "day"];
  const minutes: Record<string, number> = { 半: 30, 一刻: 15, 三刻: 45, 整: 0 };
  const past = minute === undefined ? 0 : (minutes[minute] ?? toNumber(minute));
  return Number.isNaN(past) ? undefined : toClock(toNumber(hour), past, when);
}

function toWeekday(sign: string): number {
  return "日一二三四五六天".indexOf(sign) % 7;
}

function toWeekdays(named: string): string {
  if (named === "末") return "0,6";
  const all = [...named].filter((sign) => /[一二三四五六日天]/.test(sign)).map(toWeekday);
  const [first = 1, last = 7] = all;
  return /[到至]/.test(named) ? `${first}-${last === 0 ? 7 : last}` : all.join(",");
}
