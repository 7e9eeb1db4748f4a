// What the offline model does about reminders: plans, lists and removes them, and says them when they are due.
import { nanobot } from "../lib/program-command.ts";
import type { Intent, Saying, Subject } from "./intent.ts";
import { tellFailure, tellOutput, toInlineCode } from "./tell.ts";
import type { Result, Turn } from "./turn.ts";
import { type FoundWhen, toArguments, type When } from "./when.ts";
import { readChineseWhen } from "./when-chinese.ts";
import { readEnglishWhen } from "./when-english.ts";

/** Before what a reminder is about, in a message to whichever model is there when it is due. */
const marks = { english: "Remind the user: ", chinese: "提醒用户：" };
const usualSubjects = { english: "it is time", chinese: "时间到了" };
const longestName = 60;

type Read = (text: string) => FoundWhen | undefined;

const remind: Intent = {
  patterns: [
    /^(?<before>.*?)[,，]?\s*\b(?:please\s+)?(?:remind|wake|tell|ping)\s+me\b(?<after>.*)$/is,
    /^(?<before>.*?)[，,]?\s*(?:请|记得|帮我|再|要)*(?:提醒|叫|通知)(?:一下)?我(?:一下|一声)?(?<after>.*)$/s,
  ],
  longest: 2_000,
  take({ before = "", after = "" }) {
    const isChinese = /[提叫通][醒我知]/.test(`${before}${after}`) || /\p{Script=Han}/u.test(before + after);
    return isChinese
      ? toReminder(before, after, { read: readChineseWhen, language: "chinese" })
      : toReminder(before, after, { read: readEnglishWhen, language: "english" });
  },
  call: toCall,
  tell: tellPlan,
};

/** Something to be done, again and again. */
const repeat: Intent = {
  patterns: [/^(?<text>(?:every|each|daily|hourly)\b.+)$/is, /^(?<text>(?:按.{1,4}时间|每|工作日|逢周).+)$/s],
  longest: 2_000,
  take({ text = "" }) {
    const found = readChineseWhen(text) ?? readEnglishWhen(text);
    const what = text.slice(found?.length ?? 0).replace(/^[\s,，:：、]+/, "");
    if (found === undefined || what === "" || !["repeat", "every"].includes(found.when.kind))
      return undefined;
    return { when: JSON.stringify(found.when), message: what, name: what.slice(0, longestName) };
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

interface Reading {
  read: Read;
  language: keyof Saying;
}

/** The time stands before or behind what it is about, or before the whole. */
function toReminder(before: string, after: string, { read, language }: Reading): Subject | undefined {
  const lead = before.replace(/^(?:and|then|so|那么|然后)\s+/i, "").trim();
  const words = after.trim();
  const first = lead === "" ? undefined : read(lead);
  const isLed = first !== undefined && first.length === lead.length;
  if (lead !== "" && !isLed) return undefined;
  const found = isLed ? { when: first.when, what: words } : splitWhen(words, read);
  if (found === undefined) return undefined;
  const what = toSubjectWords(found.what) || usualSubjects[language];
  return {
    when: JSON.stringify(found.when),
    message: marks[language] + what,
    name: what.slice(0, longestName),
  };
}

function splitWhen(words: string, read: Read): { when: When; what: string } | undefined {
  const text = words.replace(/^[\s,，:：]+/, "");
  const leading = read(text);
  if (leading !== undefined) return { when: leading.when, what: text.slice(leading.length) };
  for (let start = 1; start < text.length; start++) {
    if (/[\p{L}\p{N}]/u.test(text[start - 1] ?? "") && /[a-z0-9]/i.test(text[start] ?? "")) continue;
    const trailing = read(text.slice(start));
    if (trailing !== undefined && start + trailing.length === text.length)
      return { when: trailing.when, what: text.slice(0, start) };
  }
  return undefined;
}

function toSubjectWords(text: string): string {
  return text
    .trim()
    .replace(/^[,，:：、\s]*(?:(?:to|that|about|of)\s+|(?:要去?|去)(?=\p{Script=Han}))/iu, "")
    .replace(/^[,，:：、\s]+|[\s,，。.]+$/g, "");
}

function toCall({ when = "", message, name }: Subject, { wallTime }: Turn) {
  const schedule = toArguments(JSON.parse(when) as When, wallTime);
  return { name: "cron", arguments: { action: "add", message, name, ...schedule } };
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
