// A server as a child process: one JSON message per line on its standard streams. It leads a process group, so that
// everything it started ends with it; `failure` says why it ended.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { endProcessTree, endWithProcess } from "../guards/sandbox/process-tree.ts";
import { systemClock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { takeTail } from "../lib/text.ts";
import { ServerError } from "./problem.ts";
import type { ProcessTarget } from "./target.ts";

export const largestMessage = 16 * 1024 * 1024;
const keptOfStderr = 2_000;
const newline = 0x0a;
/** A server whose input is closed ends on its own; most do so at once. */
const ownEndMs = 200;
/** More messages than this in a tenth of a second have to wait: a flood must not take all of our time. */
const mostInWindow = 500;
const windowMs = 100;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #target: ProcessTarget;
  #child?: ChildProcessWithoutNullStreams;
  #exited: Promise<unknown> = Promise.resolve();
  #closed: Promise<unknown> = Promise.resolve();
  #forget = () => {};
  #pieces: Buffer[] = [];
  #length = 0;
  #window = { startedAt: 0, messages: 0 };
  #stderr = "";
  #failure?: ServerError;
  #closing?: Promise<void>;

  constructor(target: ProcessTarget) {
    this.#target = target;
  }

  /** Why it is no longer there: our own reason to end it, or its last words. */
  get failure(): ServerError {
    const { exitCode, signalCode: signal } = this.#child ?? {};
    const lastLine = findLastLine(this.#stderr);
    return (
      this.#failure ??
      new ServerError({
        kind: "ended",
        ...(typeof exitCode === "number" && { exitCode }),
        ...(typeof signal === "string" && { signal }),
        ...(lastLine !== "" && { lastLine }),
      })
    );
  }

  async start(): Promise<void> {
    const { cwd, env } = this.#target;
    if (!existsSync(cwd)) throw new ServerError({ kind: "no-folder", folder: cwd });
    const [program, args] = toWords(this.#target);
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", resolve));
    this.#closed = new Promise((resolve) => child.once("close", resolve));
    const started = new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error: NodeJS.ErrnoException) => reject(this.#toStartError(error)));
    });
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.stdout.on("error", (error) => this.onerror?.(error));
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = takeTail(this.#stderr + text, keptOfStderr);
    });
    // Not "close": a grandchild may hold the pipes while it lives.
    child.once("exit", () => void this.close());
    await started;
    if (child.pid !== undefined) this.#forget = endWithProcess(child.pid);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (stdin === undefined || !stdin.writable)
      throw new ServerError(this.failure.problem, { isUnsent: true });
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    child?.stdin.end();
    if (child?.pid !== undefined) {
      await orAfter(ownEndMs, this.#exited);
      // One that cannot be ended does not keep this process from ending.
      if (!(await endProcessTree(child.pid))) child.unref();
      // Its last answer may still be in the pipe.
      await orAfter(ownEndMs, this.#closed);
    }
    this.#forget();
    child?.stdin.destroy();
    child?.stdout.destroy();
    child?.stderr.destroy();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#pieces.push(chunk.subarray(start, end));
      this.#receive(Buffer.concat(this.#pieces).toString("utf8"));
      this.#pieces = [];
      this.#length = 0;
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
    this.#length += chunk.length - start;
    if (this.#length > largestMessage)
      this.#giveUp(new ServerError({ kind: "too-large", megabytes: toMegabytes(largestMessage) }));
  }

  /** Lines that are not messages are skipped: many servers print a greeting. */
  #receive(line: string): void {
    const message = line.trimStart().startsWith("{") ? parseJson(line) : undefined;
    if (!isRecord(message) || message.jsonrpc !== "2.0") return;
    this.#slowDown();
    const deliver = () => this.onmessage?.(message as JSONRPCMessage);
    // The library handles notifications a little later: an answer must not overtake the progress before it.
    if (message.method === undefined) setImmediate(deliver);
    else deliver();
  }

  #slowDown(): void {
    const now = systemClock.elapsed();
    if (now - this.#window.startedAt > windowMs) this.#window = { startedAt: now, messages: 0 };
    this.#window.messages += 1;
    const stdout = this.#child?.stdout;
    if (this.#window.messages <= mostInWindow || stdout === undefined || stdout.isPaused()) return;
    stdout.pause();
    const timer = setTimeout(() => stdout.resume(), windowMs);
    this.#child?.once("exit", () => clearTimeout(timer));
  }

  #giveUp(failure: ServerError): void {
    this.#failure = failure;
    this.#child?.stdout.pause();
    this.#pieces = [];
    this.#length = 0;
    void this.close();
  }

  #toStartError(error: NodeJS.ErrnoException): ServerError {
    const { command: program } = this.#target;
    return new ServerError(
      error.code === "ENOENT"
        ? { kind: "no-program", program }
        : { kind: "not-started", program, errno: error.code ?? error.message },
    );
  }
}

async function orAfter(ms: number, promise: Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  await Promise.race([promise, systemClock.sleep(ms, stop.signal).catch(() => {})]);
  stop.abort();
}

/** Node prints what went wrong, then a stack, then its version: the error is worth more than the last line. */
function findLastLine(stderr: string): string {
  const lines = stderr.trim().split("\n");
  return lines.findLast((line) => /^\w*Error(?: \[\w+\])?: /.test(line)) ?? lines.at(-1) ?? "";
}

export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** On Windows, launchers such as npx are scripts, which only the shell can start. */
function toWords({ command, args }: ProcessTarget): [program: string, args: string[]] {
  const isScript = process.platform === "win32" && !/\.exe$/i.test(command);
  return isScript ? ["cmd.exe", ["/d", "/c", command, ...args]] : [command, args];
}
