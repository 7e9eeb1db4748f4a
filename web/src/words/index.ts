// The texts of all pages in each language, a file for each topic.
import * as channels from "./channels.ts";
import * as chat from "./chat.ts";
import * as context from "./context.ts";
import * as files from "./files.ts";
import * as logs from "./logs.ts";
import * as memory from "./memory.ts";
import * as schedule from "./schedule.ts";
import * as settings from "./settings.ts";
import * as shell from "./shell.ts";
import * as skills from "./skills.ts";
import * as start from "./start.ts";
import * as usage from "./usage.ts";

const topics = {
  channels,
  chat,
  context,
  files,
  logs,
  memory,
  schedule,
  settings,
  shell,
  skills,
  start,
  usage,
};

export type Words = { [Topic in keyof typeof topics]: (typeof topics)[Topic]["english"] };

export type Language = "en" | "zh-CN";

export const catalogues: Record<Language, Words> = { en: pick("english"), "zh-CN": pick("chinese") };

function pick(language: "english" | "chinese"): Words {
  const words = Object.entries(topics).map(([topic, texts]) => [topic, texts[language]]);
  return Object.fromEntries(words) as Words;
}

/** The first of the browser's languages that there are texts in. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = preferred.find((tag) => /^(en|zh)\b/i.test(tag));
  return known !== undefined && /^zh/i.test(known) ? "zh-CN" : "en";
}
