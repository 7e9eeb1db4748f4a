import { describe, expect, it } from "vitest";
import { readSystemTimeZone } from "./time-zone.ts";

describe("the system's time zone", () => {
  it("is the one that Intl finds out at a higher price", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // Some have two names.
    expect(Intl.DateTimeFormat("en", { timeZone: readSystemTimeZone() }).resolvedOptions().timeZone).toBe(
      timeZone,
    );
  });

  it.each([
    ["Asia/Shanghai", "Asia/Shanghai"],
    [":Europe/Berlin", "Europe/Berlin"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["UTC", "UTC"],
  ])("is named by TZ=%s", (TZ, zone) => expect(readSystemTimeZone({ TZ })).toBe(zone));

  it.each(["CET-1CEST", "", "../../etc/passwd", "/usr/share/zoneinfo/Asia/Tokyo"])(
    "is not named by TZ=%s",
    (TZ) => expect(readSystemTimeZone({ TZ })).toBe(readSystemTimeZone({})),
  );
});
