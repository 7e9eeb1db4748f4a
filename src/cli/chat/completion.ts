// What can be completed while a person types: commands behind a slash, skills behind a dollar sign, files behind an at.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import type { ResultOf } from "../../api/index.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";

type Completions = Pick<ResultOf<"chat.complete">, "commands" | "skills">;

export interface CompletionOptions {
  known(): Promise<Completions>;
  /** Folders in which a relative path is looked for, in their order. */
  folders: readonly string[];
}

const mostItems = 40;
const longestAbout = 100;
const filePart = /(?:^|\s)(@"?([^"\s]*|(?<=@")[^"]*))$/;
const skillPart = /(?:^|\s)(\$([\w-]*))$/;

export function createCompletion({ known, folders }: CompletionOptions): AutocompleteProvider {
  let found: Promise<Completions> | undefined;

  async function suggest(
    before: string,
    isFirstLine: boolean,
  ): Promise<[string, AutocompleteItem[]] | undefined> {
    const isCommand = isFirstLine && /^\/[\w-]*$/.test(before);
    const [, skill, name = ""] = skillPart.exec(before) ?? [];
    const [, file, path = ""] = filePart.exec(before) ?? [];
    if (!isCommand && skill === undefined)
      return file === undefined ? undefined : [file, await listFiles(path, folders)];
    found ??= known();
    const { commands, skills } = await found;
    return isCommand
      ? [before, toItems("/", commands, before.slice(1))]
      : [skill ?? "", toItems("$", skills, name)];
  }

  return {
    triggerCharacters: ["@", "$"],
    async getSuggestions(lines, row, column) {
      const [prefix = "", items = []] = (await suggest((lines[row] ?? "").slice(0, column), row === 0)) ?? [];
      return items.length === 0 ? null : { prefix, items };
    },
    applyCompletion(...[lines, row, column, { value }, prefix]) {
      const line = lines[row] ?? "";
      const start = line.slice(0, column - prefix.length);
      const end = value.endsWith("/") ? "" : " ";
      const changed = lines.with(row, start + value + end + line.slice(column).trimStart());
      return { lines: changed, cursorLine: row, cursorCol: start.length + value.length + end.length };
    },
    shouldTriggerFileCompletion: () => true,
  };
}

function toItems(sign: string, rows: Completions["commands"], typed: string): AutocompleteItem[] {
  return rows
    .filter(({ name }) => name.startsWith(typed.toLowerCase()))
    .map(({ name, about }) => ({
      value: sign + name,
      label: sign + name,
      description: revealLine(toOneLine(about, longestAbout)),
    }));
}

/** Folders first. A name that holds what was typed counts where none begins with it. */
async function listFiles(typed: string, folders: readonly string[]): Promise<AutocompleteItem[]> {
  const parent = typed.includes("/") ? typed.slice(0, typed.lastIndexOf("/") + 1) : "";
  const name = typed.slice(parent.length).toLowerCase();
  const places = isAbsolute(parent) || parent.startsWith("~/") ? [""] : folders;
  const listed = await Promise.all(
    places.map((folder) => readNames(join(folder, parent.replace(/^~\//, `${homedir()}/`)))),
  );
  const names = [...new Set(listed.flat())].filter((each) => isNameable(each, name));
  const beginning = names.filter((each) => each.toLowerCase().startsWith(name));
  const holding = names.filter((each) => each.toLowerCase().includes(name));
  return (beginning.length > 0 ? beginning : holding)
    .toSorted((a, b) => Number(b.endsWith("/")) - Number(a.endsWith("/")) || a.localeCompare(b))
    .slice(0, mostItems)
    .map((each) => ({ value: toMention(parent + each), label: revealLine(each) }));
}

/** The text of the editor is drawn as it is, so that a name with control characters cannot be chosen. */
const isNameable = (each: string, typed: string) =>
  !/\p{Cc}/u.test(each) && (typed.startsWith(".") || !each.startsWith("."));

async function readNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    return [];
  });
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
}

export function toMention(path: string): string {
  return /\s/.test(path) ? `@"${path}${path.endsWith("/") ? "" : '"'}` : `@${path}`;
}
