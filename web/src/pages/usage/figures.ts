// The arithmetic of the page about usage: sums, shares, days without a gap, and the scale of a plot. Knows no component.
import type { UsageRow } from "../../../../src/api/usage/usage.ts";

export type Unit = "tokens" | "cost";
export type RangeName = "week" | "month" | "quarter" | "year";

const rangeDays: Record<RangeName, number> = { week: 7, month: 30, quarter: 90, year: 365 };

/** The beginning of the first of so many days that end with today. */
export function startOfRange(range: RangeName, now: number): number {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  return start.setDate(start.getDate() - rangeDays[range] + 1);
}

export function toTokens({ fresh, cached, output }: UsageRow): number {
  return fresh + cached + output;
}

export function toAmount(figures: UsageRow, unit: Unit): number {
  return unit === "tokens" ? toTokens(figures) : (figures.cost ?? 0);
}

/** Of what was read, what the host had cached; 0 where nothing was read. */
export function toCacheShare({ fresh, cached }: UsageRow): number {
  return fresh + cached === 0 ? 0 : cached / (fresh + cached);
}

export function sumFigures(rows: readonly UsageRow[], group = ""): UsageRow {
  const sum: UsageRow = { group, calls: 0, fresh: 0, cached: 0, output: 0, unpriced: 0, ms: 0 };
  for (const row of rows) {
    for (const key of ["calls", "fresh", "cached", "output", "unpriced", "ms"] as const) sum[key] += row[key];
    if (row.cost !== undefined) sum.cost = (sum.cost ?? 0) + row.cost;
  }
  return sum;
}

/** One for each day of the range, also for those on which nothing happened. */
export function fillDays(rows: readonly UsageRow[], from: number, now: number): UsageRow[] {
  const known = new Map(rows.map((row) => [row.group, row]));
  const days: UsageRow[] = [];
  for (const day = new Date(from); day.getTime() <= now; day.setDate(day.getDate() + 1)) {
    const name = toDayName(day);
    days.push(known.get(name) ?? sumFigures([], name));
  }
  return days;
}

function toDayName(day: Date): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
}

/** Round marks from 0 to beyond the highest, at most five. */
export function toTicks(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step);
}
