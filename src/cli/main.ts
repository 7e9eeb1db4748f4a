// The program: parses what was typed, loads the one command that was asked for, and turns its end into an exit code.
// One of the few places that may catch everything: a person sees a sentence, never a stack.

import { constants } from "node:os";
import { systemClock } from "../lib/clock.ts";
import { readVersion } from "../lib/package-root.ts";
import type { Invocation } from "./command-line/options.ts";
import { toScreen } from "./draw/text-width.ts";
import { CommandFailure, describeError, Interrupted, redact } from "./terminal/failure.ts";
import { type CommandContext, createTerminal, type Terminal } from "./terminal/terminal.ts";

export { limitEngine } from "../lib/process/engine-memory.ts";

/** `argv` as in `process.argv`. */
export async function main(argv: string[]): Promise<void> {
  const terminal = createTerminal(process);
  guardStreams();
  const signal = watchInterrupts(process, {
    sentence: terminal.words.failure.interrupted,
    onSecond: (code) => process.exit(code),
  });
  const leave = (error: unknown) => process.exit(report(error, terminal));
  process.on("uncaughtException", leave).on("unhandledRejection", leave);
  // Whatever a command awaits, and whatever that holds on to: without this the process could end in the middle of it, with 13.
  setInterval(() => {}, 2 ** 30);
  const code = await run(argv.slice(2), { terminal, signal });
  await flush();
  // Not left to the event loop: an open pipe on stdin or an idle connection would keep the process alive.
  process.exit(process.exitCode ?? code);
}

/** `argv` without the program itself; resolves with the exit code. */
export async function run(argv: string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  let invocation: Invocation | undefined;
  try {
    const { parseCommandLine } = await import("./command-line/command-line.ts");
    const { words, stdout, stderr } = terminal;
    const parsed = parseCommandLine(argv, { words, version: readVersion(), columns: stdout.columns });
    if (parsed.kind === "run") {
      invocation = parsed.invocation;
      const { runCommand } = await import("./index.ts");
      return await runCommand(invocation, context);
    }
    if (parsed.kind === "wrong" && parsed.isJson === true)
      return await reportAsJson(new CommandFailure(parsed.text.trimEnd(), 2), undefined, terminal);
    (parsed.kind === "say" ? stdout : stderr).write(parsed.text);
    return parsed.kind === "say" ? 0 : 2;
  } catch (error) {
    return invocation !== undefined && answersInJson(invocation)
      ? await reportAsJson(error, invocation, terminal)
      : report(error, terminal);
  }
}

/** With `mcp add` the flag means what is handed over. */
function answersInJson({ command, options }: Invocation): boolean {
  const isInput = command === "mcp" && options.action === "add";
  return "json" in options && options.json === true && !isInput;
}

function report(error: unknown, { stderr, words, sideStyle, env }: Terminal): number {
  stderr.write(`${toScreen(sideStyle.bad(describeError(error, words, env)), stderr)}\n`);
  if (env.NANOBOT_DEBUG === "1" && error instanceof Error)
    stderr.write(`${redact(error.stack ?? "", env)}\n`);
  return toExitCode(error);
}

async function reportAsJson(
  error: unknown,
  invocation: Invocation | undefined,
  terminal: Terminal,
): Promise<number> {
  const sentence = describeError(error, terminal.words, terminal.env);
  if (invocation !== undefined && invocation.command !== "agent") {
    terminal.stdout.write(`${JSON.stringify({ error: sentence })}\n`);
    return toExitCode(error);
  }
  const { describeFailedAnswer } = await import("./agent/answer-once.ts");
  const session = invocation?.options.session;
  const stop = error instanceof Interrupted ? "cancelled" : "error";
  terminal.stdout.write(describeFailedAnswer({ sentence, session, stop }));
  return toExitCode(error);
}

function toExitCode(error: unknown): number {
  return error instanceof CommandFailure ? error.exitCode : 1;
}

/** A reader that has gone away (`| head -1`) is no failure; a disk that is full is one. */
function guardStreams(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "EIO") return;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  process.stderr.on("error", () => {});
}

async function flush(): Promise<void> {
  // What waits for a reader that goes away meanwhile is never called back.
  const written = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => {
      for (const end of ["error", "close"]) stream.once(end, () => resolve());
      if (stream.destroyed) resolve();
      else stream.write("", () => resolve());
    });
  await Promise.all([written(process.stdout), written(process.stderr)]);
}

export interface InterruptOptions {
  /** What the person reads. */
  sentence: string;
  /** Must not come back. */
  onSecond(exitCode: number): void;
  /** Milliseconds that only ever grow. */
  elapsed?(): number;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What npm and other starters pass on of a key that the terminal has sent to all of us arrives a moment after it. */
const copyMs = 500;

export function watchInterrupts(
  process: Pick<NodeJS.Process, "on">,
  { sentence, onSecond, elapsed = systemClock.elapsed }: InterruptOptions,
): AbortSignal {
  const controller = new AbortController();
  let firstAt = Number.NEGATIVE_INFINITY;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!controller.signal.aborted) firstAt = elapsed();
      else if (elapsed() - firstAt >= copyMs) onSecond(128 + constants.signals[signal]);
      controller.abort(new Interrupted(sentence));
    });
  }
  return controller.signal;
}
