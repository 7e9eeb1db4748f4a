// The days of a month as a grid of whole weeks, by the clock of the browser, and what happens on each.
import type { DayRuns } from "../../../../src/api/jobs/schedule-draft.ts";
import type { ScheduleData } from "./schedule-page.tsx";

/** A job on a day. */
export interface Happening {
  key: string;
  name: string;
  times: number[];
  isMore: boolean;
  isPast: boolean;
}

/** The first moment of the month that lies so many months from that of a moment. */
export function toMonth(at: number, distance: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth() + distance, 1).getTime();
}

/** Beginnings of days, weeks from Monday, and the end of the last one. Days are not always 24 hours long. */
export function toDays(month: number): number[] {
  const first = new Date(month);
  const lead = (first.getDay() + 6) % 7;
  const length = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  const count = Math.ceil((lead + length) / 7) * 7;
  return Array.from({ length: count + 1 }, (_, index) =>
    new Date(first.getFullYear(), first.getMonth(), 1 - lead + index).getTime(),
  );
}

/** What has run and what is planned on each of the days, in the order of the day. */
export function findHappenings(
  days: number[],
  plan: DayRuns[][],
  { all: jobs }: Pick<ScheduleData, "all">,
): Happening[][] {
  const all = new Map(jobs.filter(({ kind }) => kind === "turn").map((job) => [job.id, job]));
  const found = days.slice(1).map((_, index): Happening[] =>
    (plan[index] ?? []).flatMap(({ jobId, ...coming }) => {
      const job = all.get(jobId);
      return job ? [{ key: jobId, name: job.name, ...coming, isPast: false }] : [];
    }),
  );
  for (const { id, name, runs } of all.values()) {
    const past = Map.groupBy(runs, ({ runAtMs }) => days.findLastIndex((start) => start <= runAtMs));
    for (const [day, those] of past) {
      const times = those.map(({ runAtMs }) => runAtMs);
      found[day]?.push({ key: `${id} past`, name, times, isMore: false, isPast: true });
    }
  }
  return found.map((happenings) => happenings.sort((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0)));
}
