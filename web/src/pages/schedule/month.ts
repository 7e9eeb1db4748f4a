// The days of a month as a grid of whole weeks, by the clock of the browser.

/** A job on a day. */
export interface Happening {
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
