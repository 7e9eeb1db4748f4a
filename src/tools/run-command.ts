// Runs one shell command to its end, its time limit or the end of the turn, whichever comes first. Nothing that it
// started in its own tree outlives a limit; what it sent to the background may outlive an ordinary end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { endProcessTree, endWithProcess } from "../guards/process-tree.ts";
import { systemClock } from "../lib/clock.ts";
import { HeadTail } from "./head-tail.ts";

export interface CommandOptions {
  command: string;
  folder: string;
  environment: Record<string, string>;
  /** 0: no limit. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Characters kept at either end of each stream. */
  keptCharacters: number;
  onOutput(text: string): void;
}

export interface CommandOutcome {
  stdout: HeadTail;
  stderr: HeadTail;
  exitCode: number | null;
  /** The signal that ended it, if one did. */
  endSignal: NodeJS.Signals | null;
  isTimedOut: boolean;
  /** Something in the background still holds the output. */
  isOutputOpen: boolean;
}

const backgroundGraceMs = 200;

/** Throws the signal's reason when the turn is called off, after everything was ended. */
export async function runCommand(options: CommandOptions): Promise<CommandOutcome> {
  const { folder, environment, timeoutMs, signal, keptCharacters, onOutput } = options;
  signal.throwIfAborted();
  const child = spawn(...toShellWords(options), {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, "close");
  closed.catch(() => {});
  const [stdout, stderr] = [new HeadTail(keptCharacters), new HeadTail(keptCharacters)];
  for (const [stream, kept] of [[child.stdout, stdout] as const, [child.stderr, stderr] as const]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      kept.push(text);
      onOutput(text);
    });
  }
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
  const tree = superviseTree(
    child.pid,
    AbortSignal.any(timeout === undefined ? [signal] : [signal, timeout]),
  );
  try {
    const [exitCode, endSignal] = await exited;
    await tree.ended;
    const isOutputOpen = await isOpenAfterGrace(closed);
    signal.throwIfAborted();
    return { stdout, stderr, exitCode, endSignal, isTimedOut: tree.wasStopped, isOutputOpen };
  } finally {
    tree.release();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

interface SupervisedTree {
  /** Resolves at once unless the tree is being ended. */
  ended: Promise<void>;
  wasStopped: boolean;
  release(): void;
}

/** Ends the tree when the signal says so, and with this process. */
function superviseTree(leader: number | undefined, stop: AbortSignal): SupervisedTree {
  const tree: SupervisedTree = { ended: Promise.resolve(), wasStopped: false, release() {} };
  // It could not be started; the child's own error tells why.
  if (leader === undefined) return tree;
  const forget = endWithProcess(leader);
  const end = () => {
    tree.wasStopped = true;
    tree.ended = endProcessTree(leader);
  };
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  tree.release = () => {
    forget();
    stop.removeEventListener("abort", end);
  };
  return tree;
}

/** A background child keeps the pipes open for as long as it lives: that is not waited for. */
async function isOpenAfterGrace(closed: Promise<unknown>): Promise<boolean> {
  const stopSleeping = new AbortController();
  const isClosed = closed.then(() => false);
  const isPast = systemClock.sleep(backgroundGraceMs, stopSleeping.signal).then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([isClosed, isPast]);
  } finally {
    stopSleeping.abort();
  }
}

function toShellWords({ command, environment }: CommandOptions): [program: string, words: string[]] {
  if (process.platform === "win32") {
    return ["powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", command]];
  }
  const folders = (environment.PATH ?? "").split(delimiter);
  const bash = folders.map((folder) => join(folder, "bash")).find((path) => existsSync(path));
  return [bash ?? "/bin/sh", ["-c", command]];
}
