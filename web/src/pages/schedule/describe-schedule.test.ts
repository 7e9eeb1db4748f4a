import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Language } from "../../words/index.ts";
import * as texts from "../../words/schedule.ts";
import { toDays } from "./calendar.tsx";
import { describeSchedule, readRhythm } from "./describe-schedule.ts";
import { toSchedule, toValues } from "./form-values.ts";

function say(expr: string, language: Language, tz?: string): string {
  const words = language === "en" ? texts.english : texts.chinese;
  const speaker = { words, language, ownZone: "Europe/Berlin", gatewayZone: "Europe/Berlin" };
  return describeSchedule({ kind: "cron", expr, ...(tz && { tz }) }, speaker);
}

describe("a schedule in words", () => {
  it.each([
    ["0 9 * * 1-5", "every weekday at 9:00", "每个工作日 9:00"],
    ["30 18 * * *", "every day at 18:30", "每天 18:30"],
    ["0 8,20 * * *", "every day at 8:00 and 20:00", "每天 8:00和20:00"],
    ["0 10 * * 0,6", "every weekend at 10:00", "每个周末 10:00"],
    ["0 10 * * 7", "every Sunday at 10:00", "每星期日 10:00"],
    ["15 7 1,15 * *", "on day 1 and 15 of every month at 7:15", "每月 1和15 日 7:15"],
    ["*/15 * * * *", "every 15 minutes", "每 15 分钟"],
    ["5 * * * *", "every hour at :05", "每小时的第 5 分钟"],
    ["0 9 * 2 1", "cron: 0 9 * 2 1", "cron：0 9 * 2 1"],
    ["0 9 13 * 5", "cron: 0 9 13 * 5", "cron：0 9 13 * 5"],
  ])("says %s", (expression, english, chinese) => {
    expect(say(expression, "en")).toBe(english);
    expect(say(expression, "zh-CN")).toBe(chinese);
  });

  it("names the place where its clock hangs, when that is not here", () => {
    expect(say("0 9 * * 1-5", "en", "Asia/Shanghai")).toBe("every weekday at 9:00 in Shanghai");
    expect(say("0 9 * * 1-5", "zh-CN", "Asia/Shanghai")).toBe("每个工作日 9:00（中国标准时间）");
    expect(say("0 9 * * 1-5", "en", "Europe/Berlin")).toBe("every weekday at 9:00");
  });

  it("never fails, whatever is in an expression", () => {
    fc.assert(fc.property(fc.string(), (text) => say(text, "en") !== ""));
  });
});

describe("the form of a job", () => {
  const place = { zone: "Asia/Shanghai", target: "web:schedule" };
  const card = {
    id: "a",
    name: "tea",
    message: "tea",
    channel: "telegram",
    chatId: "a:b",
    misfire: "once",
  } as const;
  const rest = {
    ...{ state: "planned" as const, kind: "turn" as const, enabled: true, createdAtMs: 0, runs: [] },
    ...{ sessionKey: "telegram:a:b", origin: {}, deleteAfterRun: false },
  };

  it("gives back the schedule that it was filled with", () => {
    const times = fc.tuple(fc.nat(59), fc.nat(23), fc.constantFrom("*", "1-5", "3", "2,4", "0,6"));
    fc.assert(
      fc.property(times, ([minute, hour, days]) => {
        const expr = `${minute} ${hour} * * ${days}`;
        const schedule = { kind: "cron", expr, tz: "Asia/Shanghai" } as const;
        expect(toSchedule(toValues({ ...card, ...rest, schedule }, place))).toEqual(schedule);
      }),
    );
    const every = { kind: "every", everyMs: 5_400_000 } as const;
    expect(toSchedule(toValues({ ...card, ...rest, schedule: every }, place))).toEqual(every);
    const at = { kind: "at", atMs: Date.UTC(2031, 7, 1, 1, 0) } as const;
    expect(toSchedule(toValues({ ...card, ...rest, schedule: at }, place))).toEqual({
      kind: "at",
      at: "2031-08-01T09:00",
      tz: "Asia/Shanghai",
    });
  });

  it("takes what it cannot draw as an expression", () => {
    expect(readRhythm("0 9 1-7 * 1")).toBeUndefined();
    const schedule = { kind: "cron", expr: "0 9 1-7 * 1" } as const;
    expect(toValues({ ...card, ...rest, schedule }, place)).toMatchObject({ repeat: "expression" });
  });
});

describe("the grid of a month", () => {
  it("holds whole weeks from Monday with every day of the month", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2100 }), fc.nat(11), (year, month) => {
        const days = toDays(new Date(year, month, 1).getTime());
        expect((days.length - 1) % 7).toBe(0);
        expect(new Date(days[0] ?? 0).getDay()).toBe(1);
        const inside = days.slice(0, -1).filter((day) => new Date(day).getMonth() === month);
        expect(inside).toHaveLength(new Date(year, month + 1, 0).getDate());
      }),
    );
  });
});
