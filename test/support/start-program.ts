// A real process under test: what it prints can be waited for, and its end is a value. It never outlives its test.
import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  pid: number;
  ended: Promise<Ended>;
  /** Resolves when stdout and stderr together contain the text; rejects if the process ends without it. */
  waitFor(text: string): Promise<void>;
  /** To the process alone; a negative pid in `process.kill` reaches its whole group. */
  kill(signal: NodeJS.Signals): void;
}

export interface ProgramOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Text for standard input, which is closed after it; absent: no standard input. */
  input?: string;
  /** A process group of its own, as a terminal makes one; it is ended as a whole. */
  ownGroup?: boolean;
}

export function startProgram(argv: string[], options: ProgramOptions = {}): Program {
  const [command = "", ...rest] = argv;
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: options.ownGroup === true,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A program may end without reading what it was given.
  child.stdin?.on("error", () => {}).end(options.input);
  const output = collect(child);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  onTestFinished(async () => {
    end(child, options.ownGroup === true);
    await ended.catch(() => {});
  });
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    waitFor: (text) => waitFor(child, ended, () => (output.stdout + output.stderr).includes(text)),
  };
}

export function runProgram(argv: string[], options: ProgramOptions = {}): Promise<Ended> {
  return startProgram(argv, options).ended;
}

function end(child: ChildProcess, isGroup: boolean): void {
  if (!isGroup || child.pid === undefined) return void child.kill("SIGKILL");
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk));
  return output;
}

async function waitFor(child: ChildProcess, ended: Promise<Ended>, isThere: () => boolean): Promise<void> {
  if (isThere()) return;
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (!isThere()) return;
      for (const stream of [child.stdout, child.stderr]) stream?.off("data", look);
      resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", look);
    ended.then(
      ({ stdout, stderr }) => reject(new Error(`it ended without that text:\n${stdout}${stderr}`)),
      reject,
    );
  });
}
