// Everything that the pages say, a file for each topic, in each language.
import * as channels from "./channels.ts";
import * as chat from "./chat.ts";
import * as context from "./context.ts";
import * as logs from "./logs.ts";
import * as memory from "./memory.ts";
import * as schedule from "./schedule.ts";
import * as settings from "./settings.ts";
import * as shell from "./shell.ts";
import * as skills from "./skills.ts";
import * as usage from "./usage.ts";

export const english = {
  shell: shell.english,
  chat: chat.english,
  context: context.english,
  logs: logs.english,
  memory: memory.english,
  settings: settings.english,
  usage: usage.english,
  schedule: schedule.english,
  skills: skills.english,
  channels: channels.english,
};

export type Words = typeof english;

export const chinese: Words = {
  shell: shell.chinese,
  chat: chat.chinese,
  context: context.chinese,
  logs: logs.chinese,
  memory: memory.chinese,
  settings: settings.chinese,
  usage: usage.chinese,
  schedule: schedule.chinese,
  skills: skills.chinese,
  channels: channels.chinese,
};

export type Language = "en" | "zh-CN";

export const catalogues: Record<Language, Words> = { en: english, "zh-CN": chinese };

/** Of the browser's languages the first that we speak. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = preferred.find((tag) => /^(en|zh)\b/i.test(tag));
  return known !== undefined && /^zh/i.test(known) ? "zh-CN" : "en";
}
