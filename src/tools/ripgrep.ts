// Runs the ripgrep that comes with the package and streams what it finds. Ends it as soon as nobody wants more.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { onAbort } from "../lib/abort.ts";
import { takeHead } from "../lib/text.ts";
import { ToolError } from "../runner/tool.ts";

export interface RipgrepOptions {
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
