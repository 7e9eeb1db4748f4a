// Adds a line to a file without losing any: read it to its end, then replace its last lines by themselves and the new one.
import type { Call, Saying } from "./intent.ts";
import { tellFailure } from "./tell.ts";
import { type Result, toLines } from "./turn.ts";

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
