// Rules of the demo about reminders and timers: planning, listing and removing them, and saying them when they are due.
import { describeDuration } from "../i18n/describe-time.ts";
import { createWords } from "../i18n/words.ts";
import {
  isChineseText,
  readReminderMessage,
  toAbout,
  toReminderMessage,
} from "../lib/language/plain-task.ts";
import { findTime } from "../lib/language/plain-time.ts";
import { nanobot } from "../lib/program-command.ts";
import { tellFailure, toCall } from "./file-rules.ts";
import type { Call, Rule, Step, Subject } from "./rule.ts";

const longestName = 60;

const remind: Rule = {
  name: "remind",
  longest: 2_000,
  /** The time is before or behind what it is about, or before the whole. */
  take({ before = "", after = "" }, { wallTime }) {
    const lead = before.replace(/^(?:and|then|so|那么|然后)\s+/i, "").trim();
    const moment = findTime(lead || after, wallTime);
    if (moment === undefined || (lead !== "" && moment.before + moment.after !== "")) return undefined;
    return toReminder(moment.schedule, lead === "" ? moment.before + moment.after : after, before + after);
  },
  next: plan,
};

const timer: Rule = {
  name: "timer",
  take({ time = "" }, { wallTime }) {
    const found = [isChineseText(time) ? `${time}后` : `in ${time}`, time]
      .map((text) => findTime(text, wallTime))
      .find((one) => one && one.before + one.after === "");
    return found && toReminder(found.schedule, "", time);
  },
  next: plan,
};

/** Something to be done, again and again. */
const repeat: Rule = {
  name: "repeat",
  longest: 2_000,
  take({ text = "" }, { wallTime }) {
    const repeated = findTime(text, wallTime);
    if (
      repeated === undefined ||
      repeated.before !== "" ||
      repeated.after === "" ||
      repeated.schedule.at !== undefined
    )
      return undefined;
    return toJob(repeated.schedule, repeated.after, repeated.after);
  },
  next: plan,
};

const planned: Rule = {
  name: "planned",
  next({ result, words }) {
    if (result === undefined) return toCall("cron", { action: "list" });
    const jobs = readJobs(result.text);
    const { reminders, noReminders } = words.demo;
    return jobs.length === 0
      ? noReminders
      : [reminders, "", ...jobs.map(({ name, at }) => `- ${at} ${name}`)].join("\n");
  },
};

const cancel: Rule = {
  name: "cancel",
  take: ({ wanted = "" }) => ({ wanted: wanted.trim().toLowerCase() }),
  next({ subject: { wanted = "" }, result, words }) {
    if (result === undefined) return toCall("cron", { action: "list" });
    const { noSuchReminder, whichReminder, cancelled } = words.demo;
    const removed = /^Removed job \S+ \((.*)\)\.$/.exec(result.text)?.[1];
    if (removed !== undefined) return cancelled(removed);
    const matching = readJobs(result.text).filter(
      ({ id, name }) => id === wanted || name.toLowerCase().includes(wanted),
    );
    const [first, second] = matching;
    if (first === undefined) return noSuchReminder;
    if (second !== undefined)
      return [whichReminder, "", ...matching.map(({ name }) => `- ${name}`)].join("\n");
    return toCall("cron", { action: "remove", job_id: first.id });
  },
};

export const scheduleRules: readonly Rule[] = [planned, cancel, timer, remind, repeat];

function toReminder(schedule: object, words: string, whole: string): Subject {
  const language = isChineseText(whole) ? "chinese" : "english";
  const about = toAbout(words) || createWords(language).demo.timer;
  return toJob(schedule, toReminderMessage(about, language), about);
}

function toJob(schedule: object, message: string, name: string): Subject {
  return { schedule: JSON.stringify(schedule), message, name: name.slice(0, longestName) };
}

/** Makes the job, then says when it comes. */
function plan({ subject: { schedule = "{}", message, name }, result, words, wallTime }: Step): string | Call {
  const when = JSON.parse(schedule);
  if (result === undefined) return toCall("cron", { action: "add", message, name, ...when });
  if (!/^Created job/.test(result.text)) return tellFailure(result, words);
  const { reminding, repeating, needsGateway } = words.demo;
  const next = readJobs(result.text.replace("Created job ", ""))[0]?.at ?? "";
  // The time was cut to whole seconds.
  const seconds = Math.max(1, Math.ceil((Date.parse(`${when.at}Z`) - wallTime) / 1_000));
  const wait = seconds < 60 ? seconds * 1_000 : Math.round(seconds / 60) * 60_000;
  const time = next.startsWith(new Date(wallTime).toISOString().slice(0, 10)) ? next.slice(11) : next;
  const distance = words.schedule.in(describeDuration(wait, words));
  const said = when.at === undefined ? repeating(next) : reminding(time, distance);
  return /^gateway: not-running$/m.test(result.text)
    ? `${said} ${needsGateway(`\`${nanobot} gateway\``)}`
    : said;
}

/** `3f2a91c0 "tea": at 2026-11-15 09:50 (Asia/Shanghai); ...`, or with `next 2026-11-16 09:00` where it repeats. */
function readJobs(text: string): Array<{ id: string; name: string; at: string }> {
  return text.split("\n").flatMap((line) => {
    const [, id = "", name = "", rest = ""] = /^(\S+) "(.*?)": (.*)$/.exec(line) ?? [];
    const at = /(?:^at|; next) (\d{4}-\d\d-\d\d \d\d:\d\d)/.exec(rest)?.[1] ?? "";
    return id === "" ? [] : [{ id, name, at }];
  });
}

/** What a schedule says now: a reminder, or a task. Undefined: it is no schedule that speaks. */
export function readDue(text: string): { says: string } | { asks: string } | undefined {
  if (text.startsWith("[Heartbeat]")) return { says: "All clear." };
  const [, message] = /^\[Scheduled task: [^\n]*\]\n([\s\S]*?)\n\n\(It is due now/.exec(text) ?? [];
  if (message === undefined) return undefined;
  const about = readReminderMessage(message);
  return about === undefined ? { asks: message } : { says: `⏰ ${about}` };
}
