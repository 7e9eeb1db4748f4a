// A task or reminder in one sentence, English or Chinese: when, and what. Knows no job.
import { type FoundTime, findTime } from "./plain-time.ts";

export interface PlainTask {
  schedule: FoundTime["schedule"];
  /** What to do, or what to be reminded of. */
  about: string;
  isReminder: boolean;
}

/** Before what a reminder is about, in a message to whichever model is there when it is due. */
const marks = { english: "Remind the user: ", chinese: "提醒用户：" };

const request = /^(?:please\s+|请|麻烦)?(?:(?:remind|wake|ping)\s+me\b\s*|(?:提醒|叫)我\s*)/i;

/** "every weekday at 9 read me the news", "remind me to stretch in 10 minutes", 明天下午三点提醒我开会. */
export function readPlainTask(text: string, now: number): PlainTask | undefined {
  const whole = text.trim();
  const found = findTime(whole.replace(request, ""), now);
  if (found === undefined) return undefined;
  const rest = found.before || found.after;
  const about = toAbout(rest.replace(request, ""));
  const isReminder = request.test(whole) || request.test(rest);
  return about === "" ? undefined : { schedule: found.schedule, about, isReminder };
}

/** Without the words that lead to it. */
export function toAbout(words: string): string {
  return words
    .replace(/^[,，:：、\s]*(?:(?:to|that|about|of)\s+|(?:要去?|去)(?=\p{Script=Han}))/iu, "")
    .replace(/^[,，:：、\s]+|[\s,，。.]+$/g, "");
}

export function toReminderMessage(about: string, language: keyof typeof marks): string {
  return marks[language] + about;
}

/** What a message of `toReminderMessage` is about; undefined for any other. */
export function readReminderMessage(message: string): string | undefined {
  const mark = Object.values(marks).find((each) => message.startsWith(each));
  return mark === undefined ? undefined : message.slice(mark.length);
}

export function isChineseText(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
