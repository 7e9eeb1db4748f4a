// What a form says of when a job is to run: read, judged, and shown ahead. Knows no job store.
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import type { Job, Schedule } from "../../schedule/job.ts";
import {
  findNextRuns,
  findScheduleProblem,
  isTimeZone,
  readInstant,
  type ScheduleProblem,
} from "../../schedule/next-run.ts";
import { WishError } from "../../server/methods.ts";
import type { DayRuns, DraftProblem, ScheduleDraft } from "../../server/protocol/schedule.ts";

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

const fields: Record<ScheduleProblem["kind"], DraftProblem["field"]> = {
  over: "at",
  "too-often": "everyMs",
  "no-zone": "tz",
  never: "expr",
  "no-expression": "expr",
};

export async function previewDraft(
  draft: ScheduleDraft,
  time: DraftTime,
): Promise<{ times: number[]; problem?: DraftProblem }> {
  const { schedule, problem } = await readDraft(draft, time);
  if (schedule === undefined) return { times: [], problem };
  const now = time.now();
  return { times: await findNextRuns(schedule, { ...toWindow(now, time), count: shown }) };
}

/** Throws a WishError that names the field. */
export async function toSchedule(draft: ScheduleDraft, time: DraftTime): Promise<Schedule> {
  const { schedule, problem } = await readDraft(draft, time);
  if (schedule !== undefined) return schedule;
  const { field, message } = problem;
  throw new WishError(message, [{ path: `schedule.${field}`, message }]);
}

type ReadDraft =
  | { schedule: Schedule; problem?: undefined }
  | { schedule?: undefined; problem: DraftProblem };

async function readDraft(draft: ScheduleDraft, time: DraftTime): Promise<ReadDraft> {
  const schedule = draft.kind === "at" ? await readMoment(draft, time) : draft;
  if ("problem" in schedule) return schedule;
  const problem = await findScheduleProblem(schedule, { now: time.now(), timeZone: time.timeZone });
  return problem === undefined ? { schedule } : { problem: { field: fields[problem.kind], ...problem } };
}

async function readMoment(
  { at, tz: zone }: Extract<ScheduleDraft, { kind: "at" }>,
  { timeZone }: DraftTime,
): Promise<Schedule | { problem: DraftProblem }> {
  if (zone !== undefined && !isTimeZone(zone)) {
    const message = `"${zone}" is no time zone. Give an IANA name such as Asia/Shanghai.`;
    return { problem: { field: "tz", kind: "no-zone", message } };
  }
  const atMs = await readInstant(at, zone ?? timeZone);
  if (atMs !== undefined) return { kind: "at", atMs };
  return { problem: { field: "at", kind: "no-time", message: "Give a day and a time." } };
}

function toWindow(now: number, { timeZone }: DraftTime) {
  return { after: now, anchor: now, timeZone };
}

/** What runs on each of the days that lie between the given times; nothing in the past. */
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
