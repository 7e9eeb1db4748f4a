import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { words } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { cases } from "../../test/support/long-form.ts";
import { collectEvents, modelRequest, replyOf } from "../../test/support/model-request.ts";
import { runtimeContextTag } from "../context/runtime-context.ts";
import { createWords } from "../i18n/words.ts";
import { nanobot } from "../lib/program-command.ts";
import type { Message } from "../llm/types.ts";
import { nothingToSay } from "../schedule/heartbeat.ts";
import { toInbound } from "../schedule/scheduled-message.ts";
import type { Job } from "../storage/jobs/job.ts";
import { createOffline } from "./offline.ts";

const chinese = createWords("chinese");
/** Mostly a second has begun when something is said. */
const model = createOffline({ clock: createFakeClock(Date.UTC(2026, 7, 1, 10, 0, 0, 700)) });
const names = ["cron", "read_file", "list_dir", "exec", "grep", "glob", "edit_file"];
const tools = names.map((name) => ({ name, description: "", parameters: {} }));
/** It is Sunday. */
const context = `\n\n${runtimeContextTag}\nCurrent Time: 2026-11-15 09:30 (Sunday) (Asia/Shanghai)\n[/Runtime Context]`;

async function ask(text: string, ...results: string[]) {
  const messages: Message[] = [
    { role: "user", content: text + context },
    ...results.map((content): Message => ({ role: "tool", tool_call_id: "c", name: "cron", content })),
  ];
  return replyOf(await collectEvents(model, modelRequest({ messages, tools }))).message;
}

/** The schedule, and what it is about. */
async function planOf(text: string): Promise<[schedule: object, message: string]> {
  const { tool_calls: calls, content } = await ask(text);
  const call = calls?.[0]?.function;
  if (call?.name !== "cron") throw new Error(`${call?.name ?? "it says"}: ${call?.arguments ?? content}`);
  const { action, message, name: _, ...schedule } = JSON.parse(call.arguments);
  expect(action).toBe("add");
  return [schedule, message.replace(/^(?:Remind the user: |提醒用户：)/, "")];
}

describe("a request in English", () => {
  it.each([
    ["remind me in 20 minutes to drink water", { at: "2026-11-15T09:50:00" }, "drink water"],
    ["remind me in 5 seconds to drink water", { at: "2026-11-15T09:30:05" }, "drink water"],
    ["Remind me to drink water in 20 minutes.", { at: "2026-11-15T09:50:00" }, "drink water"],
    ["in 20 minutes, remind me to drink water", { at: "2026-11-15T09:50:00" }, "drink water"],
    ["please remind me in half an hour about the laundry", { at: "2026-11-15T10:00:00" }, "the laundry"],
    ["remind me in an hour", { at: "2026-11-15T10:30:00" }, words.demo.timer],
    ["remind me in two days to call Bob", { at: "2026-11-17T09:30:00" }, "call Bob"],
    ["can you remind me in 90 seconds to turn the eggs?", { at: "2026-11-15T09:31:30" }, "turn the eggs"],
    ["remind me tomorrow at 8 to pay the rent", { at: "2026-11-16T08:00:00" }, "pay the rent"],
    ["remind me to pay the rent tomorrow at 8:15 pm", { at: "2026-11-16T20:15:00" }, "pay the rent"],
    ["remind me tomorrow morning to stretch", { at: "2026-11-16T09:00:00" }, "stretch"],
    ["remind me tonight at 8 to call mum", { at: "2026-11-15T20:00:00" }, "call mum"],
    ["remind me at 5 to leave", { at: "2026-11-15T17:00:00" }, "leave"],
    ["remind me at 9 to leave", { at: "2026-11-15T21:00:00" }, "leave"],
    ["remind me at 9am to leave", { at: "2026-11-16T09:00:00" }, "leave"],
    ["remind me at 17:05 to leave", { at: "2026-11-15T17:05:00" }, "leave"],
    ["wake me at 7 am tomorrow", { at: "2026-11-16T07:00:00" }, words.demo.timer],
    ["remind me on Friday at 3pm to submit the report", { at: "2026-11-20T15:00:00" }, "submit the report"],
    ["remind me next Monday to submit it", { at: "2026-11-16T09:00:00" }, "submit it"],
    ["remind me on 2026-12-24 at 18:00 about dinner", { at: "2026-12-24T18:00:00" }, "dinner"],
    ["remind me on December 24 at 6 pm about dinner", { at: "2026-12-24T18:00:00" }, "dinner"],
    ["remind me on the 3rd of February about the tax", { at: "2027-02-03T09:00:00" }, "the tax"],
    ["remind me tomorrow at 9 in Tokyo to join", { at: "2026-11-16T09:00:00", tz: "Asia/Tokyo" }, "join"],
    ["remind me every day at 9 to take my pills", { cron_expr: "0 9 * * *" }, "take my pills"],
    [
      "every weekday at 9 in Shanghai remind me to stand up",
      { cron_expr: "0 9 * * 1-5", tz: "Asia/Shanghai" },
      "stand up",
    ],
    [
      "every weekday at 9 in Shanghai, list the files",
      { cron_expr: "0 9 * * 1-5", tz: "Asia/Shanghai" },
      "list the files",
    ],
    ["every Monday and Thursday at 10:30 remind me to run", { cron_expr: "30 10 * * 1,4" }, "run"],
    [
      "remind me on weekends at 11 in New York to call",
      { cron_expr: "0 11 * * 0,6", tz: "America/New_York" },
      "call",
    ],
    ["every evening remind me to water the plants", { cron_expr: "0 19 * * *" }, "water the plants"],
    ["every month on the 1st at 9 remind me to pay", { cron_expr: "0 9 1 * *" }, "pay"],
    ["remind me to stretch every 30 minutes", { every_seconds: 1800 }, "stretch"],
    ["every hour: run date", { every_seconds: 3600 }, "run date"],
    ["remind me at 8 every Friday to call home", { cron_expr: "0 8 * * 5" }, "call home"],
    ["remind me every other day to water the plants", { every_seconds: 172_800 }, "water the plants"],
    ["remind me this evening to read", { at: "2026-11-15T19:00:00" }, "read"],
    ["remind me today at 8 to read", { at: "2026-11-15T20:00:00" }, "read"],
    ["every 2 hours remind me to blink", { every_seconds: 7200 }, "blink"],
  ])("%s", async (text, schedule, message) => {
    expect(await planOf(text)).toEqual([schedule, message]);
  });
});

describe("a request in Chinese", () => {
  it.each([
    ["20分钟后提醒我喝水", { at: "2026-11-15T09:50:00" }, "喝水"],
    ["二十分钟后提醒我喝水。", { at: "2026-11-15T09:50:00" }, "喝水"],
    ["提醒我20分钟后喝水", { at: "2026-11-15T09:50:00" }, "喝水"],
    ["过半小时叫我关火", { at: "2026-11-15T10:00:00" }, "关火"],
    ["一个半小时后提醒我去开会", { at: "2026-11-15T11:00:00" }, "开会"],
    ["两个小时以后提醒我", { at: "2026-11-15T11:30:00" }, chinese.demo.timer],
    ["明天早上八点提醒我交房租", { at: "2026-11-16T08:00:00" }, "交房租"],
    ["请明天早上8点半提醒我交房租", { at: "2026-11-16T08:30:00" }, "交房租"],
    ["明早七点叫我起床", { at: "2026-11-16T07:00:00" }, "起床"],
    ["今晚八点提醒我给妈妈打电话", { at: "2026-11-15T20:00:00" }, "给妈妈打电话"],
    ["下午三点一刻提醒我接孩子", { at: "2026-11-15T15:15:00" }, "接孩子"],
    ["五点提醒我下班", { at: "2026-11-15T17:00:00" }, "下班"],
    ["后天中午十二点提醒我吃药", { at: "2026-11-17T12:00:00" }, "吃药"],
    ["周五下午三点提醒我交报告", { at: "2026-11-20T15:00:00" }, "交报告"],
    ["下周一上午十点提醒我开会", { at: "2026-11-16T10:00:00" }, "开会"],
    ["12月24日晚上六点提醒我聚餐", { at: "2026-12-24T18:00:00" }, "聚餐"],
    ["提醒我明天18:05去机场", { at: "2026-11-16T18:05:00" }, "机场"],
    ["每天九点提醒我吃药", { cron_expr: "0 9 * * *" }, "吃药"],
    ["每天早上九点半读取 today.md", { cron_expr: "30 9 * * *" }, "读取 today.md"],
    ["每个工作日九点提醒我站会", { cron_expr: "0 9 * * 1-5" }, "站会"],
    ["上海时间每个工作日九点提醒我站会", { cron_expr: "0 9 * * 1-5", tz: "Asia/Shanghai" }, "站会"],
    ["按东京时间每周一到周五下午六点提醒我下班", { cron_expr: "0 18 * * 1-5", tz: "Asia/Tokyo" }, "下班"],
    ["每周一和周四上午十点提醒我跑步", { cron_expr: "0 10 * * 1,4" }, "跑步"],
    ["每月1号九点提醒我交房租", { cron_expr: "0 9 1 * *" }, "交房租"],
    ["每隔30分钟提醒我喝水", { every_seconds: 1800 }, "喝水"],
    ["每小时提醒我站起来", { every_seconds: 3600 }, "站起来"],
    ["每晚八点提醒我散步", { cron_expr: "0 20 * * *" }, "散步"],
    ["每周末中午提醒我做饭", { cron_expr: "0 12 * * 0,6" }, "做饭"],
    ["两周后提醒我复查", { at: "2026-11-29T09:30:00" }, "复查"],
    ["下周日提醒我爬山", { at: "2026-11-22T09:00:00" }, "爬山"],
    ["傍晚六点三刻提醒我接站", { at: "2026-11-15T18:45:00" }, "接站"],
    ["每两个小时提醒我眨眼", { every_seconds: 7200 }, "眨眼"],
  ])("%s", async (text, schedule, message) => {
    expect(await planOf(text)).toEqual([schedule, message]);
  });
});

describe("what only sounds like a reminder", () => {
  it.each([
    "tell me a joke",
    "remind me of the alamo",
    "tell me about the night",
    "tell me what happened yesterday",
    "remind me at 5 pm EST to leave",
    "every cloud has a silver lining",
    "提醒我一下",
    "每个人都很好",
  ])("%s is not planned", async (text) => expect((await ask(text)).tool_calls).toBeUndefined());
});

describe("looking after reminders", () => {
  it.each([
    ["list my reminders", { action: "list" }],
    ["what reminders do I have?", { action: "list" }],
    ["列出提醒", { action: "list" }],
    ["我有哪些提醒？", { action: "list" }],
  ])("%s", async (text, expected) => {
    const { tool_calls: calls } = await ask(text);
    expect(calls?.[0]?.function).toMatchObject({ name: "cron", arguments: JSON.stringify(expected) });
  });

  const created = 'Created job 3f2a91c0 "tea": at 2026-11-15 09:50 (Asia/Shanghai); make tea';
  const { demo, schedule } = words;
  const { demo: demoZh, schedule: scheduleZh } = chinese;
  const rows =
    '3f2a91c0 "tea": at 2026-11-15 09:50 (UTC); x\n77aa91c0 "run": every 60 s; next 2026-11-15 09:31; x';
  it.each([
    [
      "remind me in 5 seconds to blink",
      [created],
      demo.reminding("09:50", schedule.in(schedule.units.second(5))),
    ],
    ["5秒后提醒我眨眼", [created], demoZh.reminding("09:50", scheduleZh.in(scheduleZh.units.second(5)))],
    [
      "remind me in 20 minutes to make tea",
      [created],
      demo.reminding("09:50", schedule.in(schedule.units.minute(20))),
    ],
    ["20分钟后提醒我泡茶", [created], demoZh.reminding("09:50", scheduleZh.in(scheduleZh.units.minute(20)))],
    [
      "set a timer for 20 minutes",
      [`${created}\ngateway: not-running\nSay so.`],
      `${demo.reminding("09:50", schedule.in(schedule.units.minute(20)))} ${demo.needsGateway(`\`${nanobot} gateway\``)}`,
    ],
    [
      "remind me every 5 seconds to blink",
      ["every_seconds must be 60."],
      demo.failed("every_seconds must be 60."),
    ],
    ["list my reminders", ["No jobs."], demo.noReminders],
    ["列出提醒", [rows], `${demoZh.reminders}\n\n- 2026-11-15 09:50 tea\n- 2026-11-15 09:31 run`],
    ["cancel my reminder run", [rows, "Removed job 77aa91c0 (run)."], demo.cancelled("run")],
    ["cancel my reminder swim", [rows], demo.noSuchReminder],
    ["cancel my reminder", [rows], `${demo.whichReminder}\n\n- tea\n- run`],
  ])("tells what became of %j", async (text, results, expected) => {
    expect((await ask(text, ...results)).content).toBe(expected);
  });

  it("removes the one that is named", async () => {
    const { tool_calls: calls } = await ask("取消提醒 tea", rows);
    expect(JSON.parse(calls?.[0]?.function.arguments ?? "")).toEqual({
      action: "remove",
      job_id: "3f2a91c0",
    });
  });
});

describe("when it is due", () => {
  const due = (message: string) =>
    toInbound(
      {
        name: message,
        message,
        schedule: { kind: "at", atMs: 0 },
        origin: {},
        channel: "cli",
        chatId: "direct",
        sessionKey: "cli:direct",
      } as Job,
      0,
    ).text;

  it("says what it was asked to, in the language that it was asked in", async () => {
    for (const text of ["remind me in 20 minutes to drink water", "20分钟后提醒我喝水"]) {
      const { tool_calls: calls } = await ask(text);
      const { message } = JSON.parse(calls?.[0]?.function.arguments ?? "{}");
      expect((await ask(due(message))).content).toMatch(/^⏰ (?:drink water|喝水)$/);
    }
  });

  it("does what it can do, and says the rest", async () => {
    expect((await ask(due("list the files"))).tool_calls?.[0]?.function.name).toBe("list_dir");
    expect((await ask(due("讲个笑话"))).content).toBe("⏰ 讲个笑话");
  });

  it("keeps quiet at a heartbeat, which it cannot think about", async () => {
    expect((await ask("[Heartbeat]\nThese tasks stand in HEARTBEAT.md ...")).content).toBe(nothingToSay);
  });
});

it("plans only times that a calendar has, whatever is said", async () => {
  const pieces = fc.constantFrom(
    ...[
      "remind me ",
      "in ",
      "99999999999999 days",
      "at 25",
      "on 2026-13-45",
      "每",
      "月",
      "号",
      "九十九",
      "百",
      "点",
      "半",
      "提醒我",
    ],
    ...[
      "every ",
      "31st",
      "0",
      "零",
      "周",
      "日",
      "天",
      " to x",
      "tomorrow",
      " midnight",
      "个",
      "时间",
      "上海",
      "后",
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), async (words) => {
      const call = (await ask(words.join(""))).tool_calls?.[0]?.function;
      const { at } = call?.name === "cron" ? JSON.parse(call.arguments) : { at: undefined };
      if (at !== undefined) expect(Number.isNaN(Date.parse(`${at}Z`))).toBe(false);
    }),
    { numRuns: cases(1_000) },
  );
});
