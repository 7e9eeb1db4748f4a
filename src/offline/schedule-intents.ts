// What the offline model does about reminders: plans, lists and removes them, and says them when they are due.

import { findTime } from "../lib/plain-time.ts";
import { nanobot } from "../lib/program-command.ts";
import type { Intent, Result, Saying, Subject } from "./intent.ts";
import { tellFailure, tellOutput, toInlineCode } from "./tell.ts";

/** Before what a reminder is about, in a message to whichever model is there when it is due. */
const marks = { english: "Remind the user: ", chinese: "提醒用户：" };
const usualSubjects = { english: "it is time", chinese: "时间到了" };
const longestName = 60;

const remind: Intent = {
  patterns: [
    /^(?<before>.*?)[,，]?\s*\b(?:please\s+)?(?:remind|wake|tell|ping)\s+me\b(?<after>.*)$/is,
    /^(?<before>.*?)[，,]?\s*(?:请|记得|帮我|再|要)*(?:提醒|叫|通知)(?:一下)?我(?:一下|一声)?(?<after>.*)$/s,
  ],
  longest: 2_000,
  /** The time is before or behind what it is about, or before the whole. */
  take({ before = "", after = "" }, { wallTime }) {
    const language = /\p{Script=Han}/u.test(before + after) ? "chinese" : "english";
    const lead = before.replace(/^(?:and|then|so|那么|然后)\s+/i, "").trim();
    const found = findTime(lead || after, wallTime);
    if (found === undefined || (lead !== "" && found.before + found.after !== "")) return undefined;
    const what = toSubjectWords(lead === "" ? found.before + found.after : after) || usualSubjects[language];
    return toSubject(found.schedule, marks[language] + what, what);
  },
  call: toCall,
  tell: tellPlan,
};

/** Something to be done, again and again. */
const repeat: Intent = {
  patterns: [/^(?<text>(?:every|each|daily|hourly)\b.+)$/is, /^(?<text>(?:按.{1,4}时间|每|工作日|逢周).+)$/s],
  longest: 2_000,
  take({ text = "" }, { wallTime }) {
    const found = findTime(text, wallTime);
    if (found === undefined || found.before !== "" || found.after === "" || found.schedule.at !== undefined)
      return undefined;
    return toSubject(found.schedule, found.after, found.after);
  },
  call: toCall,
  tell: tellPlan,
};

const planned: Intent = {
  patterns: [
    /^(?:list|show)(?: me)?(?: all)?(?: my| the)? (?:reminders?|jobs?|alarms?|scheduled (?:tasks?|jobs?)|schedule)$/i,
    /^(?:what|which) (?:reminders?|jobs?|alarms?|scheduled tasks?)\b.{0,30}$/i,
    /^what(?:'s| is) (?:planned|scheduled)\b.{0,20}$/i,
    /^(?:列出|查看|看看|看一?下|显示)?(?:我)?(?:有|的|所有|全部)?(?:哪些|什么|所有)?的?(?:提醒|定时任务|日程|计划任务)(?:列表|有哪些|有什么)?$/,
  ],
  call: () => ({ name: "cron", arguments: { action: "list" } }),
  tell(result) {
    if (/^No jobs\.$/.test(result.text))
      return { english: "Nothing is planned.", chinese: "没有安排任何提醒。" };
    return tellOutput(result, { english: "Planned:", chinese: "已安排：" });
  },
};

const cancel: Intent = {
  patterns: [
    /^(?:remove|delete|cancel|stop)(?: the| my)? (?:reminder|job|alarm|scheduled task)s?\s+#?(?<id>[a-z0-9]{4,40})$/i,
    /^(?:删除|取消|去掉|删掉)(?:这个)?(?:提醒|任务|定时任务|日程)[：:\s]*(?<id>[a-z0-9]{4,40})$/i,
  ],
  take: ({ id = "" }) => ({ id }),
  call: ({ id }) => ({ name: "cron", arguments: { action: "remove", job_id: id } }),
  tell(result, { id = "" }) {
    if (!/^Removed job/.test(result.text)) return tellFailure(result);
    return { english: `${toInlineCode(id)} is removed.`, chinese: `${toInlineCode(id)} 已删除。` };
  },
};

export const scheduleIntents: readonly Intent[] = [planned, cancel, remind, repeat];

function toSubject(schedule: object, message: string, name: string): Subject {
  return { schedule: JSON.stringify(schedule), message, name: name.slice(0, longestName) };
}

function toSubjectWords(text: string): string {
  return text
    .trim()
    .replace(/^[,，:：、\s]*(?:(?:to|that|about|of)\s+|(?:要去?|去)(?=\p{Script=Han}))/iu, "")
    .replace(/^[,，:：、\s]+|[\s,，。.]+$/g, "");
}

function toCall({ schedule = "{}", message, name }: Subject) {
  return { name: "cron", arguments: { action: "add", message, name, ...JSON.parse(schedule) } };
}

/** `Created job 3f2a91c0 "water": at 2026-11-15 09:50 (Asia/Shanghai); ...` */
function tellPlan(result: Result): Saying {
  const [, id = "", time = ""] = /^Created job (\w+) ".*": ([^;\n]+)/.exec(result.text) ?? [];
  if (id === "") return tellFailure(result);
  const next = /; next ([\d-]+ [\d:]+)/.exec(result.text)?.[1];
  const isServed = !/^gateway: not-running$/m.test(result.text);
  const inChinese = time.replace(/^at /, "").replace(/^every (\d+) s$/, "每 $1 秒");
  const english = [
    `I have planned that (${toInlineCode(id)}): ${time}${next === undefined ? "" : `, next ${next}`}.`,
    ...(isServed ? [] : [`It happens only while the gateway runs: \`${nanobot} gateway\`.`]),
  ];
  const chinese = [
    `已经安排好了（${toInlineCode(id)}）：${inChinese}${next === undefined ? "" : `，下次 ${next}`}。`,
    ...(isServed ? [] : [`只有网关在运行时才会执行：\`${nanobot} gateway\`。`]),
  ];
  return { english: english.join(" "), chinese: chinese.join("") };
}

/** What a schedule says now: to be told, or to be done. Undefined: it is no schedule that speaks. */
export function readDue(text: string): { says: string } | { asks: string } | undefined {
  if (text.startsWith("[Heartbeat]")) return { says: "All clear." };
  const [, message] = /^\[Scheduled task: [^\n]*\]\n([\s\S]*?)\n\n\(It is due now/.exec(text) ?? [];
  if (message === undefined) return undefined;
  const mark = Object.values(marks).find((each) => message.startsWith(each));
  return mark === undefined ? { asks: message } : { says: `⏰ ${message.slice(mark.length)}` };
}
