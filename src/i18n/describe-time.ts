// Moments and durations as people say them: "in 20 minutes", "Saturday 2026-08-01 10:20".
import { toLocalIso } from "../lib/clock.ts";
import type { Words } from "./words.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** In its two largest units, rounded down: `1 hour 5 minutes`. */
export function describeDuration(ms: number, { schedule }: Words): string {
  const { units, and } = schedule;
  const parts = [
    { size: day, say: units.day },
    { size: hour, say: units.hour },
    { size: minute, say: units.minute },
    { size: second, say: units.second },
  ];
  const first = parts.findIndex(({ size }) => ms >= size);
  const [large, small] = parts.slice(first < 0 ? -1 : first);
  if (large === undefined) return units.second(0);
  const count = Math.floor(ms / large.size);
  const rest = small === undefined ? 0 : Math.floor((ms - count * large.size) / small.size);
  // Seconds after minutes are left out.
  const isWhole = rest === 0 || small === undefined || small.size === second;
  return isWhole ? large.say(count) : and(large.say(count), small.say(rest));
}

/** Seen from now: "in 2 hours", "3 minutes ago". */
export function describeDistance(at: number, now: number, words: Words): string {
  const distance = Math.abs(at - now);
  if (distance < second) return words.schedule.now;
  const duration = describeDuration(distance, words);
  return at > now ? words.schedule.in(duration) : words.schedule.ago(duration);
}

/** By the clock of this machine. */
export function describeMoment(at: number, { schedule }: Words): string {
  const weekday = schedule.weekdays[new Date(at).getDay()] ?? "";
  return schedule.time(weekday, toLocalIso(at).slice(0, 16).replace("T", " "));
}

type Schedule =
  | { kind: "at"; atMs: number }
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expr: string; tz?: string };

/** `timeZone` is that of expressions without one. */
export function describeSchedule(
  when: Schedule,
  { words, timeZone }: { words: Words; timeZone: string },
): string {
  const { schedule } = words;
  switch (when.kind) {
    case "at":
      return schedule.once(describeMoment(when.atMs, words));
    case "every":
      return schedule.every(describeDuration(when.everyMs, words));
    case "cron":
      return schedule.cron(`\`${when.expr}\``, when.tz ?? timeZone);
  }
}
