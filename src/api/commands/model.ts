// `/model`: which model answers in this conversation, and choosing another one.
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { ChatModels } from "../chat/chat-models.ts";
import type { SlashCommand } from "./command.ts";

const mostListed = 30;
const longestName = 200;

export const modelCommand: SlashCommand = {
  name: "model",
  when: "now",
  takesText: true,
  async run({ client, words }, text) {
    if (text === "") return describeModels(await client.call("chat.models", {}), words);
    const isUsual = text.toLowerCase() === "default";
    const { name, host } = await client.call("chat.choose-model", isUsual ? {} : { model: text });
    const { isDefault, chosen } = words.answers.model;
    return (isUsual ? isDefault : chosen)(name, host);
  },
};

function describeModels({ current, presets, isGiven }: ChatModels, words: Words): string {
  const { model: answers } = words.answers;
  const first = answers.current(current.name, current.host);
  if (isGiven) return `${first}\n${say(phrase("chat.model-given"), words)}`;
  if (presets.length === 0) return `${first}\n${answers.none}`;
  const rows = presets.slice(0, mostListed).map((name) => `- ${toPlainLine(name, longestName)}`);
  return [first, "", answers.known, ...rows, "", answers.how].join("\n");
}
