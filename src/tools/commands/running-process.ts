// A command that runs: its output so far, its input, its end. Nothing that it started in its own tree outlives a limit
// or a stop; what it sent to the background may outlive an ordinary end, where no sandbox ends it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Excess, endProcessTree, endWithProcess, watchTree } from "../../guards/sandbox/process-tree.ts";
import type { Launch } from "../../guards/sandbox/sandbox.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { HeadTail, showStreams } from "./command-output.ts";

export interface ProcessOptions {
  launch: Launch;
  /** Whether something may be written to it; otherwise its input is empty. */
  hasInput: boolean;
  /** 0: no limit. */
  timeoutMs: number;
  /** Of that limit. */
  clock?: Clock;
  /** Of how long its end is waited for. */
  endingClock?: Clock;
  onOutput?(text: string): void;
}

/** Why it was ended, where it did not end on its own. */
export type StopCause = "timeout" | "stopped" | "idle" | "life" | Excess;

export interface ProcessEnd {
  exitCode: number | null;
  /** The signal that ended it, if one did. */
  endSignal: NodeJS.Signals | null;
  stopCause?: StopCause;
  /** It was killed and does not die: a disk that it waits for does not answer, or it is not ours. */
  isStillAlive?: boolean;
  /** Something in the background still holds the output. */
  isOutputOpen: boolean;
  /** What its sandbox has to say. */
  notes: string[];
}

const backgroundGraceMs = 200;
/** Nothing in a sandbox outlives it, but it may take a moment on a busy machine. */
const sandboxGraceMs = 10_000;
/** Kept at either end of each stream. */
const keptCharacters = 25_000;
/** What may wait to be read by the command. */
const mostUnread = 1_000_000;

export class RunningProcess {
  readonly #child: ChildProcess;
  readonly #release: Launch["release"];
  readonly #graceMs: number;
  #stdout = new HeadTail(keptCharacters);
  #stderr = new HeadTail(keptCharacters);
  readonly #endingClock: Clock;
  readonly #givenUp = Promise.withResolvers<[null, null]>();
  #ending: Promise<void> | undefined;
  #stopCause: StopCause | undefined;
  #end: ProcessEnd | undefined;
  #onOutput: ((text: string) => void) | undefined;
  /** Resolves when it is over and nothing more of its output is waited for. Rejects if it could not be started. */
  readonly ended: Promise<ProcessEnd>;

  constructor({ launch, hasInput, timeoutMs, ...options }: ProcessOptions) {
    const { clock = systemClock, endingClock = systemClock } = options;
    this.#onOutput = options.onOutput;
    this.#endingClock = endingClock;
    this.#release = launch.release;
    this.#graceMs = launch.hasLifeline ? sandboxGraceMs : backgroundGraceMs;
    this.#child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe", ...(launch.hasLifeline ? ["pipe" as const] : [])],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    // It may end without reading what it was given.
    this.#child.stdin?.on("error", () => {});
    this.#listen(this.#child.stdout, (text) => this.#stdout.push(text));
    this.#listen(this.#child.stderr, (text) => this.#stderr.push(text));
    this.ended = this.#waitForEnd(timeoutMs, clock);
    this.ended.catch(() => {});
  }

  /** Undefined while it runs. */
  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  /** Whom to tell of new output from now on. */
  set onOutput(listener: ((text: string) => void) | undefined) {
    this.#onOutput = listener;
  }

  /** What came since the last time, and forgets it. */
  takeOutput(room: number): string {
    const text = showStreams(this.#stdout, this.#stderr, room);
    this.#stdout = new HeadTail(keptCharacters);
    this.#stderr = new HeadTail(keptCharacters);
    return text;
  }

  /** False when its input is closed, or it does not read what it got before. */
  write(text: string): boolean {
    const { stdin } = this.#child;
    if (stdin === null || !stdin.writable || stdin.writableLength > mostUnread) return false;
    stdin.write(text);
    return true;
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  /** Resolves when all of it is over, or cannot be ended. The first cause counts. */
  async stop(cause: StopCause): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#end !== undefined) return;
    this.#stopCause ??= cause;
    this.#ending ??= this.#endTree(pid, cause === "processes" || cause === "memory");
    await this.#ending;
    await this.ended;
  }

  async #endTree(pid: number, isUrgent: boolean): Promise<void> {
    if (await endProcessTree(pid, { isUrgent, clock: this.#endingClock })) return;
    // Nor does it keep this process from ending.
    this.#child.unref();
    this.#givenUp.resolve([null, null]);
  }

  async #waitForEnd(timeoutMs: number, clock: Clock): Promise<ProcessEnd> {
    const exited = once(this.#child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    const closed = once(this.#child, "close");
    closed.catch(() => {});
    const release = this.#supervise(timeoutMs, clock);
    try {
      const [exitCode, endSignal] = await Promise.race([exited, this.#givenUp.promise]);
      await this.#ending;
      const isStillAlive = exitCode === null && endSignal === null;
      const isOutputOpen = isStillAlive || (await isOpenAfterGrace(closed, this.#graceMs));
      const notes = (await this.#release?.()) ?? [];
      this.#end = { exitCode, endSignal, isOutputOpen, isStillAlive, stopCause: this.#stopCause, notes };
      return this.#end;
    } finally {
      release();
      for (const stream of this.#child.stdio) stream?.destroy();
      await this.#release?.();
    }
  }

  /** Ends it when its time is over, when it takes too much, and with this process. */
  #supervise(timeoutMs: number, clock: Clock): () => void {
    const { pid } = this.#child;
    // It could not be started; the child's own error tells why.
    if (pid === undefined) return () => {};
    const forget = endWithProcess(pid);
    const unwatch = watchTree(pid, (excess) => void this.stop(excess));
    const over = new AbortController();
    if (timeoutMs > 0)
      clock.sleep(timeoutMs, over.signal).then(
        () => this.stop("timeout"),
        () => {},
      );
    return () => {
      forget();
      unwatch();
      over.abort();
    };
  }

  #listen(stream: NodeJS.ReadableStream | null, keep: (text: string) => void): void {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      keep(text);
      this.#onOutput?.(text);
    });
  }
}

/** A background child keeps the pipes open while it lives: that is not waited for. */
async function isOpenAfterGrace(closed: Promise<unknown>, graceMs: number): Promise<boolean> {
  const stopSleeping = new AbortController();
  const isClosed = closed.then(() => false);
  const isPast = systemClock.sleep(graceMs, stopSleeping.signal).then(
    () => letArrive(),
    () => {},
  );
  try {
    return await Promise.race([isClosed, isPast.then(() => true)]);
  } finally {
    stopSleeping.abort();
  }
}

/** Time that this process had no time to look counts for nobody: what is there by now is read first. */
async function letArrive(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
