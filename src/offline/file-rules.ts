// Rules of the demo about files: it lists and shows them, and keeps notes and lists in them. Lines are added to a file
// without losing any: it is read to its end, then its last lines are replaced by themselves plus the new ones.
import type { Words } from "../i18n/words.ts";
import { cutMiddle, toCodeBlock, toOneLine } from "../lib/text.ts";
import type { Call, Result, Rule, Step, Subject } from "./rule.ts";

const longestShown = 4000;
const noteFile = "notes.md";

const list: Rule = {
  name: "list",
  take: ({ place = "" }) => toPath(findFolder(place)),
  next({ subject: { path = "." }, result, words }) {
    const { workspace, inFolder, emptyFolder } = words.demo;
    if (result === undefined) return toCall("list_dir", { path });
    if (/^\(?(?:Folder|Directory) .* is empty\.?\)?$/.test(result.text)) return emptyFolder;
    if (/^[^(\n][^\n]* [^\n]*\.$/.test(result.text)) return tellFailure(result, words);
    return tellBlock(result.text, inFolder(path === "." ? workspace : toCode(path)));
  },
};

const read: Rule = {
  name: "read",
  take({ name, path = "", list, notes }) {
    const named = name === undefined ? findPath(path) : unquote(name);
    return toPath(notes !== undefined ? noteFile : list === undefined ? named : toListFile(list));
  },
  next: ({ subject: { path = "" }, result, words }) => showFile(path, result, words),
};

const write: Rule = {
  name: "write",
  longest: 4000,
  isVerbatim: true,
  take({ words = "", path, list, items = "", show = "" }): Subject | undefined {
    if (list !== undefined) return { list, path: toListFile(list), text: items, show };
    const file = path === undefined ? noteFile : findPath(path);
    return file === undefined || unquote(words) === ""
      ? undefined
      : { path: file, text: unquote(words), show };
  },
  next(step) {
    const { path = "", list, text = "", show = "" } = step.subject;
    const { notesHeading, listHeading, listMade, noted, alreadyNoted } = step.words.demo;
    const items = text.split(/\s*(?:[,，、;；]|\band\b|和)\s*/i).filter((item) => item !== "");
    const name = list?.toLowerCase() ?? "";
    return append(step, {
      path,
      lines: list !== undefined ? items.map(toListItem) : [path === noteFile ? toListItem(text) : text],
      ...(path === noteFile && { heading: notesHeading }),
      ...(list !== undefined && { heading: listHeading(name) }),
      done: list !== undefined && items.length === 0 ? listMade(name) : noted(toCode(path)),
      already: alreadyNoted(toCode(path)),
      isShown: show !== "",
    });
  },
};

export const fileRules: readonly Rule[] = [write, list, read];

const toPath = (path: string | undefined) => (path === undefined ? undefined : { path });

export function toCall(name: string, args: Record<string, unknown>): Call {
  return { name, arguments: args };
}

/** Reads a file, then shows its lines, or says why there are none. */
function showFile(path: string, result: Result | undefined, words: Words): string | Call {
  const { demo } = words;
  if (result === undefined) return toCall("read_file", { path });
  const lines = toLines(result.text);
  if (lines.length > 0) {
    const rest = /\(Showing lines .*\)$/m.test(result.text) ? `\n\n${demo.unread}` : "";
    return `${tellBlock(lines.join("\n"), `${toCode(path)}:`)}${rest}`;
  }
  if (/^\(Empty file/.test(result.text)) return demo.empty(toCode(path));
  if (/^Not found/.test(result.text)) return demo.missing(toCode(path));
  return result.hasImage ? demo.image(toCode(path)) : tellFailure(result, words);
}

/** The text of lines `N| text`, in which read_file answers; none if it answered with anything else. */
export function toLines(text: string): string[] {
  return text.split("\n").flatMap((line) => /^\d+\| ?([\s\S]*)$/.exec(line)?.[1] ?? []);
}

export function tellFailure({ text }: Result, { demo }: Words): string {
  return demo.failed(text.includes("\n") || text.length > 300 ? `\n\n${toCodeBlock(text)}` : text || "-");
}

function tellBlock(text: string, heading: string): string {
  return `${heading}\n\n${toCodeBlock(cutMiddle(text, longestShown))}`;
}

function toCode(text: string): string {
  return `\`${toOneLine(text.replaceAll("`", "'"), 200)}\``;
}

const quoted = /^(?:`(.+)`|"(.+)"|“(.+)”|「(.+)」|《(.+)》|'(.+)'|‘(.+)’)$/s;

function unquote(text: string): string {
  const [, ...inner] = quoted.exec(text.trim()) ?? [];
  return (inner.find((one) => one !== undefined) ?? text).trim();
}

const fileName =
  /^(?:文件|名为|叫)?([^\s，。！？、；：“”‘’「」（）()"'`]{1,200}?\.[A-Za-z0-9]{1,8})(?![A-Za-z0-9.])/;
const asciiPath = /(?<![\w./~-])(?:[\w.~-]*\/[\w./~-]*|[\w-]+\.[A-Za-z0-9]{1,8})(?![\w/])/;

/** In quotes, or recognisable by an ending or a slash; "weather" is not one. */
function findPath(text: string): string | undefined {
  const trimmed = text.trim();
  if (quoted.test(trimmed)) return unquote(trimmed);
  return fileName.exec(trimmed)?.[1] ?? asciiPath.exec(trimmed)?.[0];
}

/** A folder may have any name; none is the workspace itself. */
function findFolder(text: string): string | undefined {
  const filler =
    /(?:当前|这个|我的|工作区?|的|\b(?:the|this|my|current|workspace|here|folder|directory)\b)/gi;
  const words = text.replaceAll(filler, " ").trim();
  if (quoted.test(words)) return unquote(words);
  const [folder = ".", ...rest] = words.split(/\s+/).filter(Boolean);
  return rest.length === 0 && !/\.[A-Za-z]{1,5}$/.test(folder) ? folder : undefined;
}

function toListFile(list: string): string {
  const name = list.trim().toLowerCase().replaceAll(/\s+/g, "-");
  return /\p{Script=Han}/u.test(name) ? `${name}清单.md` : `${name}-list.md`;
}

/** One item of a Markdown list, its further lines indented. */
export function toListItem(words: string): string {
  return `- ${unquote(words).replaceAll(/\r?\n/g, "\n  ")}`;
}

interface Addition {
  path: string;
  lines: string[];
  /** Above the first line of a file that was not there. */
  heading?: string;
  /** Said when it is written, and when it was there. */
  done: string;
  already: string;
  /** The file is shown then. */
  isShown?: boolean;
}

/** The next call, or how it ended. */
export function append({ results, words }: Step, addition: Addition): string | Call {
  const { path, lines, heading, done, already, isShown = false } = addition;
  const last = results.at(-1);
  const edited = results.find(({ name }) => name === "edit_file");
  if (last === undefined) return toCall("read_file", { path });
  if (edited !== undefined && !/^(?:Edited|Created)/.test(edited.text)) return tellFailure(edited, words);
  if (edited !== undefined) return isShown ? showFile(path, last === edited ? undefined : last, words) : done;
  const unread = /\(Showing lines .*Use offset=(\d+) to continue\.\)/.exec(last.text)?.[1];
  if (unread !== undefined) return toCall("read_file", { path, offset: Number(unread) });
  const content = results.flatMap(({ text }) => toLines(text));
  const added = lines.filter((line) => !content.some((known) => known.trim() === line));
  const end = content.findLastIndex((known) => known.trim() !== "") + 1;
  if (added.length === 0 && end > 0) return already;
  const edit = (from: string, to: string[]) =>
    toCall("edit_file", { path, old_text: from, new_text: to.join("\n") });
  // Missing, blank or unreadable: an edit of nothing fills only what is empty and refuses otherwise.
  const head = heading === undefined ? [] : [`# ${heading}`, ...(added.length === 0 ? [] : [""])];
  if (end === 0) return edit("", [...head, ...added, ""]);
  const anchor = findAnchor(content.slice(0, end));
  return edit(anchor, [anchor, ...(/^#/.test(content[end - 1] ?? "") ? [""] : []), ...added]);
}

/** As many of the last lines as it takes to be found only once. */
function findAnchor(lines: string[], count = 1): string {
  const whole = lines.join("\n");
  const anchor = lines.slice(-count).join("\n");
  return whole.indexOf(anchor) === whole.length - anchor.length ? anchor : findAnchor(lines, count * 2);
}
