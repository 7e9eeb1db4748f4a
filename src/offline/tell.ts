// Answers of the offline model from what tools returned, and adding a line to a file without losing any: it is read to its
// end, then its last lines are replaced by themselves and the new one.
import { cutMiddle, toOneLine } from "../lib/text.ts";
import { type Call, type Result, type Saying, toLines } from "./intent.ts";

const longestShown = 4000;

const commonplaces: Array<[RegExp, Saying]> = [
  [/^\(?(?:Folder|Directory) .* is empty\.?\)?$/, { english: "It is empty.", chinese: "里面是空的。" }],
  [/^(?:Nothing in|No matches|No files)\b.*$/, { english: "I found nothing.", chinese: "什么也没找到。" }],
];

/** What a tool put out, under a heading; a mere sentence (a refusal, something missing) is passed on as the tool's. */
export function tellOutput({ name, text }: Result, heading: Saying): Saying {
  const isShort = text.length < 500;
  const known = isShort && commonplaces.find(([pattern]) => pattern.test(text));
  if (known) return known[1];
  const isSentence = isShort && /^[^(\n][^\n]* [^\n]*\.$/.test(text);
  if (!isSentence) return tellBlock(text, heading);
  return { english: `The tool \`${name}\` answers: ${text}`, chinese: `工具 \`${name}\` 的回答：${text}` };
}

/** What a command printed; one that did not run is reported as a failure. */
export function tellCommand(result: Result, heading: Saying): Saying {
  const [, output = result.text] = /^([\s\S]*?)\n?Exit code: 0$/.exec(result.text) ?? [];
  if (output === "") return { english: "Done; it printed nothing.", chinese: "执行完毕，没有输出。" };
  const hasRun = /^(?:Exit code: |Ended by signal |Timed out after )/m.test(result.text);
  return hasRun ? tellBlock(output, heading) : tellFailure(result);
}

export function tellFailure({ name, text }: Result): Saying {
  const reason = text === "" ? "-" : text;
  const block = reason.includes("\n") || reason.length > 300 ? `\n\n${toBlock(reason)}` : ` ${reason}`;
  return {
    english: `That did not work. The tool \`${name}\` says:${block}`,
    chinese: `没有成功。工具 \`${name}\` 的回答：${block}`,
  };
}

/** The lines of a file, or why there are none. */
export function tellFile(result: Result, path: string): Saying {
  const shown = toInlineCode(path);
  const lines = toLines(result.text);
  const rest = /\(Showing lines .*\)$/m.exec(result.text)?.[0];
  if (lines.length > 0) {
    const told = tellBlock(lines.join("\n"), { english: `${shown}:`, chinese: `${shown}：` });
    if (rest === undefined) return told;
    return { english: `${told.english}\n\n${rest}`, chinese: `${told.chinese}\n\n（文件没有读完）` };
  }
  if (/^\(Empty file/.test(result.text)) {
    return { english: `${shown} is empty.`, chinese: `${shown} 是空的。` };
  }
  if (!result.hasImage) return tellFailure(result);
  return {
    english: `${shown} is an image. I cannot look at it; a real model could.`,
    chinese: `${shown} 是一张图片。我看不到它，接入真正的模型后才可以。`,
  };
}

/** The facts in a memory file, without its headings. */
export function tellMemory(result: Result, path: string): Saying {
  const lines = toLines(result.text);
  if (lines.length === 0 && !/not found|empty/i.test(result.text)) return tellFailure(result);
  const facts = lines.filter((line) => !/^\s*(#.*)?$/.test(line));
  if (facts.length === 0) return { english: "Nothing yet.", chinese: "还什么都没有记。" };
  return tellBlock(facts.join("\n"), { english: `From \`${path}\`:`, chinese: `来自 \`${path}\`：` });
}

export function toInlineCode(text: string): string {
  return `\`${toOneLine(text.replaceAll("`", "'"), 200)}\``;
}

function tellBlock(text: string, heading: Saying): Saying {
  const block = toBlock(text);
  return { english: `${heading.english}\n\n${block}`, chinese: `${heading.chinese}\n\n${block}` };
}

/** A code block whose fence is longer than any inside it. */
function toBlock(text: string): string {
  const shown = cutMiddle(text, longestShown);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${shown}\n${fence}`;
}

export interface Addition {
  path: string;
  line: string;
  /** Above the first line of a file that was not there. */
  heading?: string;
  /** Said when it is written. */
  done: Saying;
}

const alreadyThere: Saying = { english: "That is already written there.", chinese: "那里已经记着了。" };

/** The next call, or how it ended. */
export function append({ path, line, heading, done }: Addition, results: readonly Result[]): Call | Saying {
  const last = results.at(-1);
  if (last === undefined) return { name: "read_file", arguments: { path } };
  if (last.name === "edit_file") return /^(?:Edited|Created)/.test(last.text) ? done : tellFailure(last);
  const unread = /\(Showing lines .*Use offset=(\d+) to continue\.\)/.exec(last.text)?.[1];
  if (unread !== undefined) return { name: "read_file", arguments: { path, offset: Number(unread) } };

  const content = results.flatMap(({ text }) => toLines(text));
  if (content.some((known) => known.trim() === line)) return alreadyThere;
  // Missing, blank or unreadable: an edit of nothing fills only what is empty and refuses otherwise.
  const end = content.findLastIndex((known) => known.trim() !== "") + 1;
  if (end === 0) return toEdit(path, "", `${heading === undefined ? "" : `${heading}\n\n`}${line}\n`);
  const anchor = findAnchor(content.slice(0, end));
  const gap = /^#/.test(content[end - 1] ?? "") ? "\n\n" : "\n";
  return toEdit(path, anchor, `${anchor}${gap}${line}`);
}

function toEdit(path: string, oldText: string, newText: string): Call {
  return { name: "edit_file", arguments: { path, old_text: oldText, new_text: newText } };
}

/** As many of the last lines as it takes to be found only once. */
function findAnchor(lines: string[]): string {
  const whole = lines.join("\n");
  for (let count = 1; count < lines.length; count *= 2) {
    const anchor = lines.slice(-count).join("\n");
    if (anchor.trim() !== "" && whole.indexOf(anchor) === whole.length - anchor.length) return anchor;
  }
  return whole;
}
