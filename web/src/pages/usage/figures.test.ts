// The arithmetic of the page about usage.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillDays, startOfRange, sumFigures, toCacheShare, toTicks } from "./figures.ts";

const row = { group: "", calls: 1, fresh: 100, cached: 300, output: 20, unpriced: 0, ms: 5 };

describe("figures of usage", () => {
  it("add up, and have a cost only where one is known", () => {
    const sum = sumFigures([row, { ...row, cost: 0.5, unpriced: 1 }, { ...row, cost: 0.25 }], "all");
    expect(sum).toEqual({
      group: "all",
      calls: 3,
      fresh: 300,
      cached: 900,
      output: 60,
      cost: 0.75,
      unpriced: 1,
      ms: 15,
    });
    expect(sumFigures([row])).not.toHaveProperty("cost");
    expect(toCacheShare(sum)).toBe(0.75);
    expect(toCacheShare(sumFigures([]))).toBe(0);
  });

  it("have a day for each day of the time, also around a change of the clock", () => {
    const now = new Date(2026, 10, 15, 13, 30).getTime();
    const from = startOfRange("month", now);
    const days = fillDays([{ ...row, group: "2026-11-01" }], from, now);
    expect(days).toHaveLength(30);
    expect([days[0]?.group, days.at(-1)?.group]).toEqual(["2026-10-17", "2026-11-15"]);
    expect(days.filter(({ calls }) => calls > 0).map(({ group }) => group)).toEqual(["2026-11-01"]);
  });

  it("are drawn on a scale of a few round marks that holds the highest", () => {
    expect(toTicks(0)).toEqual([0, 1]);
    expect(toTicks(360_000)).toEqual([0, 100_000, 200_000, 300_000, 400_000]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (highest) => {
        const ticks = toTicks(highest);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-6));
      }),
    );
  });
});
