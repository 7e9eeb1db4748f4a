// The texts of the frame, the chat and what belongs to it, in each language. Other pages bring their topic (`useTopic`).
import * as chat from "./chat.ts";
import * as files from "./files.ts";
import * as shell from "./shell.ts";
import * as start from "./start.ts";

const topics = {
  chat,
  files,
  shell,
  start,
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
