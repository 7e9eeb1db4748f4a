// Times as they are said in English: "in 20 minutes", "tomorrow at 8", "every weekday at 9 in Shanghai".
import {
  type ClockTime,
  type DayWish,
  type FoundWhen,
  findZone,
  toClock,
  toInterval,
  toOnce,
  usualClocks,
  type When,
} from "./when.ts";

const counts: Record<string, number> = Object.fromEntries(
  [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
  ].map((word, count) => [word, count]),
);
Object.assign(counts, {
  a: 1,
  an: 1,
  "half a": 0.5,
  "half an": 0.5,
  other: 2,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
});

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const count = `(?<count>\\d+(?:\\.\\d+)?|${Object.keys(counts)
  .sort((a, b) => b.length - a.length)
  .join("|")})`;
const clock = "(?<clock>noon|midnight|\\d{1,2}(?:[:.]\\d\\d)?(?:\\s*[ap]\\.?m\\b\\.?)?(?:\\s*o'?clock)?)";
const part = "(?<part>morning|noon|afternoon|evening|night)";
const day = `(?:${days.join("|")})`;
const month = `(?<month>${months.join("|")})[a-z]*\\.?`;
const date = "(?<date>\\d{1,2})(?:st|nd|rd|th)?";
const atClock = `(?:\\s+(?:at|by)\\s+${clock})?`;

type Groups = Record<string, string | undefined>;
type Reader = (groups: Groups, text: string) => When | undefined;

/** The first that fits; a reader may still find that it makes no sense. */
const phrases: Array<[RegExp, Reader]> = [
  [
    toPhrase(
      `in\\s+(?:about\\s+)?${count}\\s+(?<unit>s|m|h|d|w)(?:ec|econd|in|inute|our|r|ay|eek)?s?(?:\\s+from now)?`,
    ),
    (groups) => readInterval(groups, "in"),
  ],
  [
    toPhrase(`every\\s+${count}\\s+(?<unit>s|m|h|d|w)(?:ec|econd|in|inute|our|r|ay|eek)s?`),
    (groups) => readInterval(groups, "every"),
  ],
  [
    toPhrase("(?:every\\s+(?<unit>m|h)(?:inute|our)|(?<hourly>hourly))"),
    ({ unit = "h" }) => readInterval({ unit }, "every"),
  ],
  [
    toPhrase(`(?:every|each)\\s+month\\s+on\\s+the\\s+${date}${atClock}`),
    ({ date: number = "", clock: time }) => toRepeat({ days: number }, time),
  ],
  [
    toPhrase(
      `(?:every|each|on)\\s+(?<days>${day}s?(?:\\s*(?:,|and|&)\\s*${day}s?)*|(?:week|working |work)days?|weekends?)(?:\\s+${part})?${atClock}`,
    ),
    ({ days: named = "", part: when, clock: time }, text) => {
      const isOnce = /^on\s/i.test(text) && !/s$/i.test(named);
      return isOnce ? undefined : toRepeat({ weekdays: toWeekdays(named) }, time, when);
    },
  ],
  [
    toPhrase(`(?:(?:every|each)\\s+(?<part>day|morning|afternoon|evening|night)|daily)${atClock}`),
    ({ part: when, clock: time }) => toRepeat({}, time, when === "day" ? undefined : when),
  ],
  [
    toPhrase(`at\\s+${clock}\\s+(?:every|each)\\s+(?<days>day|${day}|(?:week|working |work)day|weekend)`),
    ({ days: named = "", clock: time }) =>
      toRepeat(named.toLowerCase() === "day" ? {} : { weekdays: toWeekdays(named) }, time),
  ],
  [
    toPhrase(
      `(?<near>today|tonight|tomorrow|the day after tomorrow)(?:\\s+(?:in the\\s+)?${part})?${atClock}`,
    ),
    ({ near = "", part: when, clock: time }) => {
      const evening = near.toLowerCase() === "tonight" ? "evening" : when;
      return readOnce({ inDays: toDistance(near) }, time, evening);
    },
  ],
  [
    toPhrase(`(?:on\\s+|this\\s+|next\\s+)?(?<weekday>${day})(?:\\s+(?:in the\\s+)?${part})?${atClock}`),
    ({ weekday = "", part: when, clock: time }) =>
      readOnce({ weekday: days.indexOf(weekday.toLowerCase()) }, time, when),
  ],
  [
    toPhrase(`(?:on\\s+)?(?<year>\\d{4})-(?<month>\\d\\d)-(?<date>\\d\\d)(?:\\s+(?:at\\s+)?${clock})?`),
    ({ year, month: named, date: number, clock: time }) =>
      readOnce({ year: Number(year), month: Number(named), day: Number(number) }, time),
  ],
  [
    toPhrase(
      `on\\s+(?:the\\s+)?(?:${month}\\s+${date}|${date.replace("date", "first")}\\s+(?:of\\s+)?${month.replace("month", "second")})${atClock}`,
    ),
    ({ month: after, date: number, first, second, clock: time }) => {
      const named = months.indexOf((after ?? second ?? "").toLowerCase());
      return readOnce({ month: named + 1, day: Number(number ?? first) }, time);
    },
  ],
  [
    toPhrase(`at\\s+${clock}(?:\\s+(?<near>today|tonight|tomorrow))?`),
    ({ clock: time, near }) =>
      near === undefined
        ? readOnce(undefined, time)
        : readOnce(
            { inDays: toDistance(near) },
            time,
            near.toLowerCase() === "tonight" ? "evening" : undefined,
          ),
  ],
];

export function readEnglishWhen(text: string): FoundWhen | undefined {
  for (const [pattern, read] of phrases) {
    const found = pattern.exec(text);
    const when = found === null ? undefined : read({ ...found.groups }, found[0]);
    if (found !== null && when !== undefined) return withZone(when, text, found[0].length);
  }
  return undefined;
}

function toPhrase(source: string): RegExp {
  return new RegExp(`^${source}(?![\\p{L}\\p{N}])`, "iu");
}

/** "in Shanghai", "in New York", "Tokyo time". */
function withZone(when: When, text: string, length: number): FoundWhen {
  const [, lead = "", first = "", second] =
    /^(\s+(?:in\s+)?)([\p{L}_]+)(?:\s([\p{L}_]+))?/u.exec(text.slice(length)) ?? [];
  if ((when.kind !== "at" && when.kind !== "repeat") || first === "") return { when, length };
  const isIn = /in/i.test(lead);
  for (const city of [second === undefined ? "" : `${first} ${second}`, first]) {
    const zone = isIn || second?.toLowerCase() === "time" ? findZone(city) : undefined;
    const end = length + lead.length + city.length;
    const time = zone === undefined ? undefined : /^\s+time\b/i.exec(text.slice(end))?.[0];
    if (zone !== undefined) return { when: { ...when, zone }, length: end + (time?.length ?? 0) };
  }
  return { when, length };
}

function readInterval({ count: number = "1", unit = "" }: Groups, kind: "in" | "every"): When | undefined {
  const factor = counts[number.toLowerCase()] ?? Number(number);
  return toInterval(kind, factor * (units[unit.toLowerCase()] ?? Number.NaN));
}

function toRepeat(
  which: { days?: string; weekdays?: string },
  time?: string,
  when?: string,
): When | undefined {
  const read = readClock(time, when);
  // What happens every day at nine is meant in the morning.
  return read && { kind: "repeat", ...which, clock: { hour: read.hour, minute: read.minute } };
}

function readOnce(on: DayWish | undefined, time?: string, when?: string): When | undefined {
  return toOnce(on, readClock(time, when));
}

function readClock(time: string | undefined, when: string | undefined): ClockTime | undefined {
  if (time === undefined) return usualClocks[when?.toLowerCase() ?? "day"];
  if (/^noon/i.test(time)) return { hour: 12, minute: 0 };
  if (/^midnight/i.test(time)) return { hour: 0, minute: 0 };
  const [, hour, minute = "0", half] = /^(\d{1,2})(?:[:.](\d\d))?\s*([ap])?/i.exec(time) ?? [];
  const named = half === undefined ? when?.toLowerCase() : `${half.toLowerCase()}m`;
  return toClock(Number(hour), Number(minute), named);
}

function toDistance(near: string): number {
  if (/^the day/i.test(near)) return 2;
  return /^tomorrow/i.test(near) ? 1 : 0;
}

function toWeekdays(named: string): string {
  if (/^w(?:eek|ork)/i.test(named)) return /^weekend/i.test(named) ? "0,6" : "1-5";
  const all = named.toLowerCase().match(new RegExp(day, "g")) ?? [];
  return all.map((name) => days.indexOf(name)).join(",");
}
