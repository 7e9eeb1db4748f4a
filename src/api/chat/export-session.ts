// `/export`: a conversation as a Markdown file in the folder of whoever asks.
import { join } from "node:path";
import type { Words } from "../../i18n/words.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { makeFolder } from "../../lib/home-presence.ts";
import { stripRuntimeContext } from "../../lib/runtime-block.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { StoredMessage } from "../../session/message.ts";
import type { Session } from "../../session/session.ts";

export interface ExportParts {
  /** The files of whoever asks. */
  root: string;
  session: Session;
  now: number;
  words: Words;
}

const longestResult = 4_000;

/** Says where it is. */
export async function exportSession({ root, session, now, words }: ExportParts): Promise<string> {
  const { text, count } = toMarkdown(session.key, await session.read(), words);
  if (count === 0) return words.answers.export.nothing;
  const folder = join(root, "exports");
  await makeFolder(folder);
  const name = toExportName(session.key, now, "md");
  await writeFileAtomic(join(folder, name), text);
  return words.answers.export.done(count, `exports/${name}`);
}

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
