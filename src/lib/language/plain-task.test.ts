import { expect, it } from "vitest";
import { readPlainTask } from "./plain-task.ts";

const now = Date.parse("2026-11-17T10:00:00Z");
const task = (about: string, schedule: object) => ({ about, schedule, isReminder: false });
const reminder = (about: string, schedule: object) => ({ about, schedule, isReminder: true });

it.each([
  ["every weekday at 9 read me the news", task("read me the news", { cron_expr: "0 9 * * 1-5" })],
  ["Remind me every weekday at 9 to stretch.", reminder("stretch", { cron_expr: "0 9 * * 1-5" })],
  ["remind me to call mum tomorrow at 5 pm", reminder("call mum", { at: "2026-11-18T17:00:00" })],
  ["tell me the weather every morning", task("tell me the weather", { cron_expr: "0 9 * * *" })],
  [
    "in 20 minutes remind me to turn off the oven",
    reminder("turn off the oven", { at: "2026-11-17T10:20:00" }),
  ],
  ["每个工作日九点提醒我活动一下", reminder("活动一下", { cron_expr: "0 9 * * 1-5" })],
  ["提醒我明天下午三点开会", reminder("开会", { at: "2026-11-18T15:00:00" })],
  ["每天早上八点读新闻给我听", task("读新闻给我听", { cron_expr: "0 8 * * *" })],
])("reads %s", (text, expected) => expect(readPlainTask(text, now)).toEqual(expected));

it.each(["read me the news", "every weekday at 9", "", "明天", "x".repeat(2_000)])(
  "does not guess: %s",
  (text) => expect(readPlainTask(text, now)).toBeUndefined(),
);
