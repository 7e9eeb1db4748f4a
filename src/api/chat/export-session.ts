// A conversation as a Markdown document.
import type { Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { stripRuntimeContext } from "../../lib/runtime-block.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";

const longestResult = 4_000;

export function toExportName(key: string, now: number, ending: string): string {
  const stamp = toLocalIso(now).slice(0, 19).replaceAll(":", "-");
  return `${key.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 80)}-${stamp}.${ending}`;
}

/** With the number of messages in it. */
export function toMarkdown(
  key: string,
  messages: readonly StoredMessage[],
  words: Words,
): { text: string; count: number } {
  const blocks = messages.flatMap((message) => describeMessage(message, words));
  const title = `# ${words.answers.export.title(toPlainLine(key, 200))}`;
  return { text: `${[title, ...blocks].join("\n\n")}\n`, count: blocks.length };
}

function describeMessage(message: StoredMessage, words: Words): string[] {
  const { you, assistant, tool, calls } = words.answers.export;
  const at = toLocalIso(message.at).slice(0, 16).replace("T", " ");
  const text = toText(message);
  switch (message.role) {
    case "user":
      return [`## ${you} · ${at}\n\n${stripRuntimeContext(text).trim()}`];
    case "assistant": {
      const names = (message.tool_calls ?? []).map((call) => call.function.name);
      const parts = [text.trim(), ...(names.length > 0 ? [`*${calls(names.join(", "))}*`] : [])];
      return [`## ${assistant} · ${at}\n\n${parts.filter((part) => part !== "").join("\n\n")}`];
    }
    case "tool":
      return [`### ${tool(message.name)} · ${at}\n\n${quote(text)}`];
    default:
      return [];
  }
}

/** What a tool said is quoted, so that no heading in it looks like one of ours. */
function quote(text: string): string {
  const shown = text.length > longestResult ? `${text.slice(0, longestResult)} ...` : text;
  return shown
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function toText({ content }: StoredMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
