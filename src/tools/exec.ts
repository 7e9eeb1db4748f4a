// The tool exec: one shell command. Whether it may run is decided by the guards, from its effects; this file only
// runs it, bounded in time and output and without the secrets of our own environment.
import { stripVTControlCharacters } from "node:util";
import * as z from "zod";
import { createChildEnvironment } from "../guards/child-environment.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { takeTail, toOneLine } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError, type ToolResult } from "../runner/tool.ts";
import type { HeadTail } from "./head-tail.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";

export interface ExecOptions {
  /** Default 60; 0: no limit. */
  timeoutSeconds?: number;
  allowedEnvKeys?: readonly string[];
  pathPrepend?: string;
  pathAppend?: string;
  /** Default `process.env`. */
  environment?: NodeJS.ProcessEnv;
  clock?: Clock;
}

const mostCharacters = 10_000;
const mostSeconds = 600;
const progressIntervalMs = 200;

const parameters = z.object({
  command: z.string().min(1).describe("Run by bash"),
  working_dir: z.string().optional().describe("Default: the workspace"),
  timeout: z.int().min(1).max(mostSeconds).optional().describe("Seconds; default as configured, usually 60"),
});

export function createExec(roots: FileRoots, options: ExecOptions = {}): Tool<z.output<typeof parameters>> {
  const { timeoutSeconds = 60, environment: from = process.env, clock = systemClock } = options;
  const environment = createChildEnvironment({ ...options, from, allowedKeys: options.allowedEnvKeys });
  return defineTool({
    name: "exec",
    description:
      "Runs a shell command without input; long output loses its middle. Commands that are not plainly harmless wait for the owner's consent.",
    parameters,
    exclusive: true,
    effects: ({ command, working_dir }) => [{ type: "run", command, workingDirectory: working_dir }],
    async execute({ command, working_dir = ".", timeout = timeoutSeconds }, context) {
      if (command.trim() === "" || command.includes("\0"))
        throw new ToolError("Give a command without NUL bytes.");
      const folder = await roots.openFolder(working_dir, context.origin);
      try {
        const outcome = await runCommand({
          command,
          folder: folder.path,
          environment,
          timeoutMs: timeout * 1000,
          signal: context.signal,
          keptCharacters: mostCharacters,
          onOutput: createProgress(context, clock),
        });
        return toResult(outcome, timeout);
      } finally {
        await folder.close();
      }
    },
  });
}

/** Shows the latest line, not every one: a build may print thousands a second. */
function createProgress(context: ToolContext, clock: Clock): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (clock.elapsed() - last < progressIntervalMs) return;
    const line = cleanOutput(takeTail(text, 1000)).trim().split("\n").at(-1) ?? "";
    if (line === "") return;
    last = clock.elapsed();
    context.progress(toOneLine(line, 200));
  };
}

function toResult(outcome: CommandOutcome, timeout: number): ToolResult {
  const parts = [showStreams(outcome.stdout, outcome.stderr), describeEnd(outcome, timeout)];
  if (outcome.isOutputOpen && !outcome.isTimedOut) {
    parts.push("(A background process still runs. To keep its output, send it to a file.)");
  }
  const content = parts.filter((part) => part !== "").join("\n");
  return outcome.isTimedOut ? { content, isError: true } : { content };
}

/** Errors may take half of the room, and more if the output leaves it. */
function showStreams(stdout: HeadTail, stderr: HeadTail): string {
  const forErrors = Math.min(stderr.length, Math.max(mostCharacters / 2, mostCharacters - stdout.length));
  const output = cleanOutput(stdout.show(mostCharacters - forErrors)).trimEnd();
  const errors = cleanOutput(stderr.show(forErrors)).trimEnd();
  return [output, errors === "" ? "" : `STDERR:\n${errors}`].filter((part) => part !== "").join("\n");
}

function describeEnd({ exitCode, endSignal, isTimedOut }: CommandOutcome, timeout: number): string {
  if (isTimedOut) {
    return `Timed out after ${timeout} seconds; the command and all that it started were ended. Raise timeout (at most ${mostSeconds}), or run less.`;
  }
  return endSignal === null ? `Exit code: ${exitCode}` : `Ended by signal ${endSignal}`;
}

/** As a terminal would leave it: no colours, and of a line that was drawn again and again only the last state. */
function cleanOutput(text: string): string {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.replace(/\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n")
    .replaceAll(/[\p{Cc}--[\t\n]]/gv, "");
}
