// The values of the job form, converted from a job and to a draft for the gateway. Knows no field.

import type { ParamsOf } from "../../../../src/api/index.ts";
import type { JobRecord } from "../../../../src/api/jobs/jobs.ts";
import type { ScheduleDraft } from "../../../../src/api/jobs/schedule-draft.ts";
import { parseSessionKey, toSessionKey } from "../../../../src/bus/session-key.ts";
import { readRhythm } from "./describe-schedule.ts";

export const units = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
/** Of an interval. */
export const longestMs = 3_650 * units.days;

export interface FormValues {
  name: string;
  message: string;
  kind: ScheduleDraft["kind"];
  at: string;
  count: string;
  unit: keyof typeof units;
  repeat: "daily" | "weekdays" | "weekly" | "monthly" | "expression";
  time: string;
  weekday: string;
  monthDay: string;
  expression: string;
  zone: string;
  target: string;
  misfire: JobRecord["misfire"];
}

export function toValues(
  job: JobRecord | undefined,
  { zone, target }: { zone: string; target: string },
): FormValues {
  const { schedule } = job ?? {};
  const values: FormValues = {
    name: job?.name ?? "",
    message: job?.message ?? "",
    kind: schedule?.kind ?? "cron",
    at: "",
    count: "1",
    unit: "hours",
    repeat: "daily",
    time: "09:00",
    weekday: "1",
    monthDay: "1",
    expression: "0 9 * * *",
    zone,
    target: job ? toSessionKey({ channel: job.channel, chatId: job.chatId }) : target,
    misfire: job?.misfire ?? "once",
  };
  if (schedule?.kind === "at") return { ...values, at: toLocalTime(schedule.atMs, zone) };
  if (schedule?.kind === "every") return { ...values, ...toCount(schedule.everyMs) };
  if (schedule?.kind === "cron") return { ...values, ...toRepeat(schedule.expr), zone: schedule.tz ?? zone };
  return values;
}

export function toSchedule(values: FormValues): ScheduleDraft {
  const { kind, at, count, unit, zone } = values;
  const tz = zone.trim() === "" ? {} : { tz: zone.trim() };
  if (kind === "at") return { kind, at, ...tz };
  if (kind === "every") return { kind, everyMs: toMs(Number(count) * units[unit]) };
  return { kind, expr: toExpression(values), ...tz };
}

/** Beyond these limits the form itself shows a problem. */
function toMs(ms: number): number {
  return Math.min(longestMs, Math.max(0, ms || 0));
}

export function toDraft(values: FormValues): ParamsOf<"jobs.add"> {
  const { name, message, target, misfire } = values;
  const { channel, chatId } = parseSessionKey(target);
  return {
    name,
    message,
    schedule: toSchedule(values),
    misfire,
    chat: { channel, chatId },
  };
}

function toExpression({ repeat, time, weekday, monthDay, expression }: FormValues): string {
  const [hour = "", minute = ""] = time.split(":").map((part) => String(Number(part)));
  const days = { daily: "* * *", weekdays: "* * 1-5", weekly: `* * ${weekday}`, monthly: `${monthDay} * *` };
  return repeat === "expression" ? expression : `${minute} ${hour} ${days[repeat]}`;
}

function toRepeat(expression: string): Partial<FormValues> {
  const rhythm = readRhythm(expression);
  const asIs = { repeat: "expression", expression } as const;
  if (rhythm === undefined || !("times" in rhythm) || rhythm.kind === "weekends") return asIs;
  const [time = "", ...more] = rhythm.times;
  const days = "days" in rhythm ? rhythm.days : [];
  if (more.length > 0 || days.length > 1) return asIs;
  // Sunday is the last day of a week, so that the choice begins with Monday.
  const [day = 1] = days;
  const chosen = { weekday: String(day || 7), monthDay: String(day) };
  return { expression, repeat: rhythm.kind, time: time.padStart(5, "0"), ...chosen };
}

function toCount(ms: number): Pick<FormValues, "count" | "unit"> {
  const unit = (["days", "hours"] as const).find((name) => ms % units[name] === 0) ?? "minutes";
  return { unit, count: String(ms / units[unit]) };
}

/** `2026-08-01T09:00`, by the clock of a zone. */
function toLocalTime(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return format.format(at).replace(" ", "T");
}
