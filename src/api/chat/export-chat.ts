// A conversation as one document: Markdown with everything, or a page to share.
import { escapeHtml, toHtml } from "../../channels/markup.ts";
import type { Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { stripRuntimeContext } from "../../lib/formats/runtime-block.ts";
import { takeHead, toPlainLine } from "../../lib/text.ts";
import { readEntry } from "../../storage/sessions/format/entry-facts.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";

const longestResult = 4_000;
const longestName = 60;

/** After the title, so that a person finds it again. */
export function toExportName(title: string, now: number, ending: string): string {
  const stamp = toLocalIso(now).slice(0, 19).replaceAll(":", "-");
  const name = takeHead(title, longestName).replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
  return `${name.replaceAll(/^-+|-+$/g, "") || "nanobot"}-${stamp}.${ending}`;
}

/** With the number of messages in it. */
export function toMarkdown(
  title: string,
  messages: readonly StoredMessage[],
  words: Words,
): { text: string; count: number } {
  const blocks = messages.flatMap((message) => describeMessage(message, words));
  const heading = `# ${toPlainLine(title, 200) || words.answers.export.title}`;
  return { text: `${[heading, ...blocks].join("\n\n")}\n`, count: blocks.length };
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

const style = `:root{color-scheme:light dark}body{margin:0 auto;max-width:46rem;padding:2rem 1rem 4rem;font:16px/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}
h1{font-size:1.5rem;line-height:1.3}section{margin:1.5rem 0;overflow-wrap:anywhere}header{font-size:.8rem;opacity:.7}
.you{margin-left:auto;max-width:85%;width:fit-content}.you>div,pre{background:color-mix(in srgb,CanvasText 8%,Canvas);border-radius:.75rem;padding:.6rem 1rem}
section>div{white-space:pre-wrap}pre{overflow-x:auto;white-space:pre;margin:.3rem 0}code{font:.9em ui-monospace,monospace}blockquote{margin:0;border-left:3px solid GrayText;padding-left:1rem}
footer{font-size:.8rem;opacity:.7;border-top:1px solid GrayText;padding-top:1rem}`;
/** Beyond that a line is shown as it is: finding its marks would take too long. */
const longestLine = 4_000;

/** One file that loads nothing: what people and the assistant said to each other. */
export function toPage(title: string, messages: readonly StoredMessage[], words: Words): string {
  const { export: say } = words.answers;
  const heading = escapeHtml(toPlainLine(title, 200) || say.title);
  const sections = messages.flatMap((message): string[] => {
    const { kind, text } = readEntry(message);
    const isUser = kind === "user";
    if ((!isUser && kind !== "assistant") || text === "") return [];
    const at = toLocalIso(message.at).slice(0, 16).replace("T", " ");
    const who = `<header>${isUser ? say.you : say.assistant} · <time>${at}</time></header>`;
    return [`<section${isUser ? ' class="you"' : ""}>${who}<div>${toBody(text, isUser)}</div></section>`];
  });
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return `<!DOCTYPE html>
<html lang="${say.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><title>${heading}</title><style>${style}</style></head>
<body><h1>${heading}</h1>
${sections.join("\n")}
<footer>${escapeHtml(say.madeBy)}</footer></body></html>
`;
}

function toBody(text: string, isUser: boolean): string {
  const isPlain = isUser || text.split("\n").some((line) => line.length > longestLine);
  return isPlain ? escapeHtml(text) : toHtml(text);
}
