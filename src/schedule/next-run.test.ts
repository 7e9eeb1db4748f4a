import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/support/long-form.ts";
import { formatInstant, readInstant } from "./next-run.ts";

describe("readInstant", () => {
  it.each([
    ["2026-08-01T09:00", "Asia/Shanghai", "2026-08-01T01:00:00.000Z"],
    ["2026-08-01T09:00:00", "Europe/Berlin", "2026-08-01T07:00:00.000Z"],
    ["2026-08-01 09:00", "UTC", "2026-08-01T09:00:00.000Z"],
    ["2026-08-01T09:00:00Z", "Asia/Shanghai", "2026-08-01T09:00:00.000Z"],
    ["2026-08-01T09:00:00+02:00", "Asia/Shanghai", "2026-08-01T07:00:00.000Z"],
    // That night has no such time, and this one has it twice.
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ])("reads %s in %s", async (text, zone, expected) => {
    expect(new Date((await readInstant(text, zone)) ?? 0).toISOString()).toBe(expected);
  });

  it.each(["tomorrow", "", "2026-08-01", "2026-02-31T00:00", "2026-08-01T25:00", "* * * * *", "09:00"])(
    "takes %j for no time",
    async (text) => expect(await readInstant(text, "UTC")).toBeUndefined(),
  );

  it("knows no time in a zone that there is not", async () => {
    expect(await readInstant("2026-08-01T09:00", "Mars/Olympus")).toBeUndefined();
  });

  it("reads back what was shown, wherever the clocks are not set back", async () => {
    const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    const zone = fc.constantFrom("UTC", "Asia/Shanghai", "Asia/Kolkata", "Pacific/Marquesas");
    await fc.assert(
      fc.asyncProperty(minutes, zone, async (minute, timeZone) => {
        const at = minute * 60_000;
        expect(await readInstant(formatInstant(at, timeZone), timeZone)).toBe(at);
      }),
      { numRuns: cases(200) },
    );
  });
});
