// Runs the ripgrep that comes with the package and streams what it finds. Ends it as soon as nobody wants more.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onAbort } from "../../lib/abort.ts";
import { takeHead } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";

interface RipgrepOptions {
  args: string[];
  /** Where it runs; paths in its output are relative to it. */
  folder: string;
  /** Between records: a line feed, or NUL for lists of names. */
  separator: "\n" | "\0";
  signal: AbortSignal;
}

const longestMessage = 2000;

/** Yields records without their separator. Throws a ToolError for what ripgrep says is wrong with the arguments. */
export async function* runRipgrep({
  args,
  folder,
  separator,
  signal,
}: RipgrepOptions): AsyncGenerator<string> {
  signal.throwIfAborted();
  if (args.some((word) => word.includes("\0")))
    throw new ToolError("Arguments must not have NUL bytes in them.");
  const { rgPath } = await import("@vscode/ripgrep");
  const child = spawn(rgPath, args, { cwd: folder, env: {}, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  closed.catch(() => {});
  const stop = () => child.kill("SIGKILL");
  const forget = onAbort(signal, stop);
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    message = takeHead(message + text, longestMessage);
  });
  try {
    yield* splitRecords(child.stdout.setEncoding("utf8"), separator);
    const [code] = await closed;
    signal.throwIfAborted();
    if (code === 2 && message !== "") throw new ToolError(explain(message));
  } finally {
    forget();
    stop();
    await closed;
  }
}

async function* splitRecords(stream: AsyncIterable<string>, separator: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const records = (rest + chunk).split(separator);
    rest = records.pop() ?? "";
    yield* records;
  }
  if (rest !== "") yield rest;
}

/** `error: unclosed group` out of a drawing of the pattern with its faults underlined. */
function explain(message: string): string {
  const reason = /^error: (.+)$/m.exec(message)?.[1] ?? message.replace(/^rg: /, "").trim();
  const isPattern = /regex/.test(message);
  return isPattern
    ? `The pattern is no valid regular expression: ${reason}. Correct it, or set fixed_strings for literal text.`
    : `The search could not run: ${reason}.`;
}

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

type OutputModeName = "files_with_matches" | "content" | "count";

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
