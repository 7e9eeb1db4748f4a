// The schedule fields of a form: parsed, checked and previewed. Knows no job store.
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import { type Phrase, type PhraseCode, phrase } from "../../i18n/phrase.ts";
import { type FieldProblem, UserError } from "../../i18n/user-error.ts";
import type { FoundTime } from "../../lib/language/plain-time.ts";
import { findNextRuns, findScheduleProblem, isTimeZone, readInstant } from "../../schedule/next-run.ts";
import type { Job, Schedule } from "../../storage/jobs/job.ts";

/** `at` is a time such as `2026-08-01T09:00`, by the clock of `tz`, or of the gateway. */
export type ScheduleDraft = z.output<typeof draftSchema>;

/** A job on one day. */
export interface DayRuns {
  jobId: string;
  /** The first ones. */
  times: number[];
  isMore: boolean;
}

export interface DraftTime {
  now(): number;
  /** Of what names no zone of its own. */
  timeZone: string;
}

const tz = z.string().min(1).max(64).optional();
const year = 366 * 86_400_000;

export const draftSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("at"), at: z.string().max(40), tz }),
  z.strictObject({
    kind: z.literal("every"),
    everyMs: z
      .number()
      .min(0)
      .max(10 * year),
  }),
  z.strictObject({ kind: z.literal("cron"), expr: z.string().max(200), tz }),
]);

const shown = 5;
/** Of one job on one day; the calendar has no room for more. */
const mostOfDay = 4;

/** Which field of a draft a problem is about. */
const fields: Partial<Record<PhraseCode, string>> = {
  "jobs.time-over": "at",
  "jobs.bad-time": "at",
  "jobs.too-often": "everyMs",
  "jobs.bad-zone": "tz",
};

export async function previewDraft(
  draft: ScheduleDraft,
  time: DraftTime,
): Promise<{ times: number[]; problem?: FieldProblem }> {
  const read = await readDraft(draft, time);
  if ("code" in read) return { times: [], problem: toField(read) };
  const now = time.now();
  return { times: await findNextRuns(read, { ...toWindow(now, time), count: shown }) };
}

/** Throws a UserError that names the field. */
export async function toSchedule(draft: ScheduleDraft, time: DraftTime): Promise<Schedule> {
  const read = await readDraft(draft, time);
  if (!("code" in read)) return read;
  const { path, phrase: said } = toField(read);
  throw new UserError(said, { fields: [{ path: `schedule.${path}`, phrase: said }] });
}

export interface ReadSentence {
  name: string;
  message: string;
  schedule: ScheduleDraft;
}

/** Undefined: it names no time, or nothing to do. */
export async function readSentence(text: string, time: DraftTime): Promise<ReadSentence | undefined> {
  const { isChineseText, readPlainTask, toReminderMessage } = await import(
    "../../lib/language/plain-task.ts"
  );
  const task = readPlainTask(text, toWallTime(time));
  if (task === undefined) return undefined;
  const { about, isReminder } = task;
  const language = isChineseText(text) ? "chinese" : "english";
  return {
    name: about,
    message: isReminder ? toReminderMessage(about, language) : about,
    schedule: toDraft(task.schedule),
  };
}

function toDraft({ at, every_seconds: seconds, cron_expr: expr = "", tz: zone }: FoundTime["schedule"]) {
  const place = zone === undefined ? {} : { tz: zone };
  if (at !== undefined) return { kind: "at" as const, at, ...place };
  if (seconds !== undefined) return { kind: "every" as const, everyMs: seconds * 1000 };
  return { kind: "cron" as const, expr, ...place };
}

/** The clock on the wall as if it were one of UTC. */
function toWallTime({ now, timeZone }: DraftTime): number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return Date.parse(`${format.format(now()).replace(" ", "T")}Z`);
}

function toField(problem: Phrase): FieldProblem {
  return { path: fields[problem.code] ?? "expr", phrase: problem };
}

async function readDraft(draft: ScheduleDraft, time: DraftTime): Promise<Schedule | Phrase> {
  const schedule = draft.kind === "at" ? await readMoment(draft, time) : draft;
  if ("code" in schedule) return schedule;
  return (await findScheduleProblem(schedule, { now: time.now(), timeZone: time.timeZone })) ?? schedule;
}

async function readMoment(
  { at, tz: zone }: Extract<ScheduleDraft, { kind: "at" }>,
  { timeZone }: DraftTime,
): Promise<Schedule | Phrase> {
  if (zone !== undefined && !isTimeZone(zone)) return phrase("jobs.bad-zone", { zone });
  const atMs = await readInstant(at, zone ?? timeZone);
  return atMs === undefined ? phrase("jobs.bad-time") : { kind: "at", atMs };
}

function toWindow(now: number, { timeZone }: DraftTime) {
  return { after: now, anchor: now, timeZone };
}

/** What runs on each day between the given times; nothing in the past. */
export async function planDays(
  jobs: readonly Job[],
  days: readonly number[],
  time: DraftTime,
): Promise<DayRuns[][]> {
  const now = time.now();
  const problems = await Promise.all(
    jobs.map(({ schedule }) => findScheduleProblem(schedule, { now, timeZone: time.timeZone })),
  );
  const planned = jobs.filter(
    ({ enabled, nextRunAtMs }, index) =>
      enabled && nextRunAtMs !== undefined && problems[index] === undefined,
  );
  const plan: DayRuns[][] = [];
  for (const [index, until] of days.slice(1).entries()) {
    const after = Math.max(now, days[index] ?? 0) - 1;
    const due = (until > now ? planned : []).map((job) => planDay(job, { after, until }, time));
    plan.push((await Promise.all(due)).filter(({ times }) => times.length > 0));
    // Hundreds of jobs take a while: what else the gateway has to do goes on between the days.
    await setImmediate();
  }
  return plan;
}

async function planDay(
  { id, schedule, nextRunAtMs = 0 }: Job,
  { after, until }: { after: number; until: number },
  { timeZone }: DraftTime,
): Promise<DayRuns> {
  // Before its next time nothing runs, whatever an interval would say.
  const from = Math.max(after, nextRunAtMs - 1);
  const anchor = schedule.kind === "every" ? nextRunAtMs - schedule.everyMs : nextRunAtMs;
  const window = { after: from, anchor, timeZone };
  const times = await findNextRuns(schedule, { ...window, until, count: mostOfDay + 1 });
  return { jobId: id, times: times.slice(0, mostOfDay), isMore: times.length > mostOfDay };
}
