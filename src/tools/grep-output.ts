// The three ways grep can answer: what each asks of ripgrep, how its records are read, and what a model sees of them.

export interface Found {
  path: string;
  /** The line, or the number of matches. */
  number: number;
  /** False for a line of context. */
  isMatch: boolean;
  text: string;
}

export interface OutputMode {
  flags: string[];
  /** Between ripgrep's records. */
  separator: "\n" | "\0";
  /** What is counted by limits and offsets. */
  noun: string;
  /** Undefined for separators and remarks. */
  parse(record: string): Found | undefined;
  format(found: Found[], isComplete: boolean): string;
}

export type OutputModeName = "files_with_matches" | "content" | "count";

const longestLine = 500;

export const outputModes: Record<OutputModeName, OutputMode> = {
  files_with_matches: {
    flags: ["--files-with-matches", "--null"],
    separator: "\0",
    noun: "Files",
    parse: (path) => ({ path, number: 0, isMatch: true, text: "" }),
    format: (found) => found.map(({ path }) => path).join("\n"),
  },
  count: {
    flags: ["--count-matches", "--with-filename", "--null"],
    separator: "\n",
    noun: "Files",
    parse: (record) => parse(record, /^(\d+)()()$/),
    format: formatCounts,
  },
  content: {
    flags: [
      "--line-number",
      "--with-filename",
      "--no-heading",
      "--null",
      `--max-columns=${longestLine}`,
      "--max-columns-preview",
    ],
    separator: "\n",
    noun: "Lines",
    parse: (record) => parse(record, /^(\d+)([:-])(.*?)\r?$/s),
    format: formatContent,
  },
};

/** `path NUL number`, and for lines `:text` of a match or `-text` of its context. */
function parse(record: string, shape: RegExp): Found | undefined {
  const end = record.indexOf("\0");
  const parts = end === -1 ? null : shape.exec(record.slice(end + 1));
  if (parts === null) return undefined;
  const [, number, sign, text = ""] = parts;
  return { path: record.slice(0, end), number: Number(number), isMatch: sign !== "-", text };
}

function formatCounts(found: Found[], isComplete: boolean): string {
  const lines = found.map(({ path, number }) => `${path}: ${number}`);
  const total = found.reduce((sum, { number }) => sum + number, 0);
  if (isComplete && found.length > 1) lines.push(`(${total} matches in ${found.length} files)`);
  return lines.join("\n");
}

/** Each path once; below it matches as `12: text`, context as `13- text`, and `--` where context has a gap. */
function formatContent(found: Found[]): string {
  const hasContext = found.some(({ isMatch }) => !isMatch);
  const output: string[] = [];
  let previous: Found | undefined;
  for (const line of found) {
    if (line.path !== previous?.path) output.push(...(previous === undefined ? [] : [""]), line.path);
    else if (hasContext && line.number > previous.number + 1) output.push("--");
    output.push(`${line.number}${line.isMatch ? ":" : "-"} ${line.text}`);
    previous = line;
  }
  return output.join("\n");
}
