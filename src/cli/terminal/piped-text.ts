// Text on standard input that is no terminal: a file, a pipe that ends, or one that stays open and silent. The last
// kind is never waited for: a program that starts this one often leaves such a pipe behind.

import { fstatSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import type { Words } from "../../i18n/words.ts";
import { onAbort } from "../../lib/abort.ts";
import { stripBom } from "../../lib/text.ts";
import { CommandFailure } from "./failure.ts";

export interface PipedTextOptions {
  stdin: NodeJS.ReadableStream;
  /** There is a message already; without one the pipe is all there is, and deserves more patience. */
  hasMessage: boolean;
  words: Words;
  /** Says something to the person while or instead of waiting. */
  say(sentence: string): void;
  signal: AbortSignal;
  /** Longest silence after the first bytes, and before them where there is no message. Default 30 s. */
  patienceMs?: number;
}

const largestText = 2 * 1024 * 1024;
const usualPatienceMs = 30_000;
/** Silence of another command's output in a shell's pipe, and of a pipe that nothing is known about. */
const producerPatienceMs = 3000;
const tickMs = 10;
const strangerPatienceMs = process.platform === "linux" ? 100 : 1000;

/** The text on standard input, "" when there is nothing. */
export async function readPipedText(options: PipedTextOptions): Promise<string> {
  const { words, hasMessage, say, patienceMs = usualPatienceMs } = options;
  const firstMs = hasMessage ? await choosePatience(patienceMs) : patienceMs;
  const read = await readAll(options, firstMs, patienceMs);
  if (read === "silent") {
    if (!hasMessage) throw new CommandFailure(words.failure.silentPipe(firstMs / 1000), 2);
    if (firstMs === producerPatienceMs) say(words.chat.pipeIgnored(firstMs / 1000));
    return "";
  }
  if (read === "unfinished") throw new CommandFailure(words.failure.unfinishedPipe(patienceMs / 1000));
  if (read === "too-long") throw new CommandFailure(words.failure.longPipe(largestText / 1024 / 1024));
  return decode(read, words);
}

/** How long the first byte may take where there is a message already. */
async function choosePatience(fileMs: number): Promise<number> {
  if (isStdinFile()) return fileMs;
  return (await isFedByCommand()) ? producerPatienceMs : strangerPatienceMs;
}

function isStdinFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch (error) {
    // Windows cannot say this of every kind of handle.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

/** Whether the pipe is some other process's standard output, as in `npm test | nanobot agent -m ...`. */
async function isFedByCommand(): Promise<boolean> {
  const targetOf = (path: string) => readlink(path).catch(() => undefined);
  const pipe = await targetOf("/proc/self/fd/0");
  if (!pipe?.startsWith("pipe:")) return false;
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const outputs = await Promise.all(processes.map((pid) => targetOf(`/proc/${pid}/fd/1`)));
  return outputs.includes(pipe);
}

type ReadResult = Buffer | "silent" | "unfinished" | "too-long";

function readAll(
  { stdin, signal }: PipedTextOptions,
  firstMs: number,
  patienceMs: number,
): Promise<ReadResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
  const chunks: Buffer[] = [];
  let size = 0;
  const stopWaiting = afterIdleTime(firstMs, () => resolve("silent"));
  let timer: NodeJS.Timeout | undefined;
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    stopWaiting();
    clearTimeout(timer);
    timer = setTimeout(() => resolve("unfinished"), patienceMs);
    if (size > largestText) resolve("too-long");
  };
  const onEnd = (): void => resolve(Buffer.concat(chunks));
  stdin.on("data", onData).once("end", onEnd).once("error", reject);
  const forget = onAbort(signal, () => reject(signal.reason));
  return promise.finally(() => {
    stopWaiting();
    clearTimeout(timer);
    forget();
    stdin.off("data", onData).off("end", onEnd).off("error", reject);
    stdin.pause();
  });
}

/**
 * Calls back after this much time in which the machine kept up. On a busy one, the writer of the pipe is late, too: a tick
 * that comes late counts for nothing, up to ten times the wait.
 */
function afterIdleTime(waitMs: number, act: () => void): () => void {
  const start = performance.now();
  let last = start;
  let idleMs = 0;
  const ticks = setInterval(() => {
    const now = performance.now();
    if (now - last < 2 * tickMs) idleMs += now - last;
    last = now;
    if (idleMs < waitMs && now - start < 10 * waitMs) return;
    clearInterval(ticks);
    act();
  }, tickMs);
  return () => clearInterval(ticks);
}

function decode(bytes: Buffer, words: Words): string {
  try {
    return stripBom(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(words.failure.notText);
  }
}
