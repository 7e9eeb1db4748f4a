// A schedule in words, and the simple cron expressions that the form can show.
import type { JobChat, JobRecord, KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { toSessionKey } from "../../../../src/bus/session-key.ts";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import type { Language } from "../../words/index.ts";
import * as scheduleTexts from "../../words/schedule.ts";
import { useSessionNames } from "../chat/sessions/sessions.ts";

interface Speaker {
  words: typeof scheduleTexts.english;
  language: Language;
  /** Of the browser. */
  ownZone: string;
  gatewayZone: string;
}

/** Times on certain days; anything else stays a cron expression. */
type Rhythm =
  | { kind: "minutes"; count: number }
  | { kind: "hours"; count: number; minute: number }
  | { kind: "daily" | "weekdays" | "weekends"; times: string[] }
  | { kind: "weekly" | "monthly"; days: number[]; times: string[] };

const most = 6;

export function readRhythm(expression: string): Rhythm | undefined {
  const [minute = "", hour = "", day, month, weekday = "", ...rest] = expression.trim().split(/\s+/);
  if (month !== "*" || day === undefined || rest.length > 0) return undefined;
  const step = (field: string) => (field === "*" ? 1 : Number(/^\*\/(\d{1,2})$/.exec(field)?.[1] ?? 0));
  if (day === "*" && weekday === "*" && step(minute) > 0 && hour === "*")
    return { kind: "minutes", count: step(minute) };
  const minutes = readNumbers(minute);
  const [first] = minutes;
  if (first === undefined) return undefined;
  if (day === "*" && weekday === "*" && minutes.length === 1 && step(hour) > 0)
    return { kind: "hours", count: step(hour), minute: first };
  const times = readNumbers(hour).flatMap((at) =>
    minutes.map((past) => `${at}:${String(past).padStart(2, "0")}`),
  );
  if (times.length === 0 || times.length > most) return undefined;
  if (day !== "*") {
    const days = readNumbers(day);
    return weekday === "*" && days.length > 0 ? { kind: "monthly", days, times } : undefined;
  }
  if (weekday === "*") return { kind: "daily", times };
  const days = [...new Set(readNumbers(weekday).map((each) => each % 7))].sort();
  if (days.join() === "1,2,3,4,5") return { kind: "weekdays", times };
  if (days.join() === "0,6") return { kind: "weekends", times };
  return days.length > 0 ? { kind: "weekly", days, times } : undefined;
}

/** `1,3-5`; empty for anything else. */
function readNumbers(field: string): number[] {
  const parts = field.split(",").map((part) => /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part));
  if (parts.some((part) => part === null)) return [];
  return parts.flatMap((part) => {
    const from = Number(part?.[1]);
    const to = Number(part?.[2] ?? from);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  });
}

export function describeSchedule(schedule: JobRecord["schedule"], speaker: Speaker): string {
  const { words, language, ownZone, gatewayZone } = speaker;
  if (schedule.kind === "at") return words.when.once(formatMoment(schedule.atMs, language));
  if (schedule.kind === "every") return describeInterval(schedule.everyMs, words);
  const zone = schedule.tz ?? gatewayZone;
  const text = describeExpression(schedule.expr, speaker);
  return zone === ownZone ? text : words.when.inZone(text, toPlace(zone, language));
}

export const useScheduleWords = () => useTopic(scheduleTexts);

export function describeInterval(ms: number, { when }: typeof scheduleTexts.english): string {
  const seconds = Math.round(ms / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return when.everyMs(days, hours, minutes, seconds % 60);
}

function describeExpression(expression: string, { words: { when }, language }: Speaker): string {
  const rhythm = readRhythm(expression);
  if (rhythm === undefined) return when.expression(expression);
  if (rhythm.kind === "minutes") return when.minutes(rhythm.count);
  if (rhythm.kind === "hours") {
    const minute = String(rhythm.minute).padStart(2, "0");
    return rhythm.count === 1 ? when.hourly(minute) : when.hours(rhythm.count, minute);
  }
  const times = join(rhythm.times, language);
  if (rhythm.kind === "weekly")
    return when.onDays(
      join(
        rhythm.days.map((day) => nameWeekday(day, language)),
        language,
      ),
      times,
    );
  if (rhythm.kind === "monthly") return when.monthly(join(rhythm.days.map(String), language), times);
  return when[rhythm.kind](times);
}

function join(parts: string[], language: Language): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(parts);
}

/** 0 is Sunday. */
export function nameWeekday(day: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(
    Date.UTC(2023, 0, 1 + day),
  );
}

export function formatMoment(at: number, language: Language): string {
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  const day = { weekday: "short", month: "short", day: "numeric", ...year } as const;
  return new Intl.DateTimeFormat(language, {
    ...day,
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
}

/** Asia/Shanghai: `Shanghai`, `中国标准时间`. */
function toPlace(zone: string, language: Language): string {
  const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
  if (language === "en") return city;
  const parts = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    timeZoneName: "longGeneric",
  }).formatToParts(0);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? city;
}

export function findOwnZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function useSpeaker(gatewayZone: string): Speaker {
  const { language } = usePreferences();
  return { words: useScheduleWords(), language, ownZone: findOwnZone(), gatewayZone };
}

/** `telegram:42` */
export function toTarget({ channel, chatId }: JobChat): string {
  return toSessionKey({ channel, chatId });
}

/** Names of the chats that can be reported to. */
export function useChatNames() {
  const words = useScheduleWords();
  const nameOf = useSessionNames();
  const nameChat = (chat: KnownChat): string => {
    if (toTarget(chat) === "web:schedule") return words.here;
    if (toTarget(chat) === "cli:direct") return words.terminal;
    const name = nameOf(toTarget(chat));
    return chat.name === undefined ? name : `${chat.name} (${name})`;
  };
  /** Options that include `chosen`, even if it is no longer known. */
  const nameChats = (chats: KnownChat[], chosen: string): Record<string, string> => {
    const named = chats.map((chat): [string, string] => [toTarget(chat), nameChat(chat)]);
    return { [chosen]: nameOf(chosen), ...Object.fromEntries(named) };
  };
  return { nameChat, nameChats };
}
