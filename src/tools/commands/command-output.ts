// What a command printed, as a model reads it: bounded, and cleaned as a terminal would leave it.
import { stripVTControlCharacters } from "node:util";
import type { Clock } from "../../lib/clock.ts";
import { takeHead, takeTail, toOneLine } from "../../lib/text.ts";
import type { CommandAccess, ToolContext } from "../../runner/tool.ts";
import type { ProcessEnd, StopCause } from "./running-process.ts";

/** Of the time that a call may give to a command, in seconds. */
export const longestTimeout = 600;
const progressIntervalMs = 200;

/** Errors may take half of the room, and more if the output leaves it. */
export function showStreams(stdout: HeadTail, stderr: HeadTail, room: number): string {
  const forErrors = Math.min(stderr.length, Math.max(room / 2, room - stdout.length));
  const output = cleanOutput(stdout.show(room - forErrors)).trimEnd();
  const errors = cleanOutput(stderr.show(forErrors)).trimEnd();
  return [output, errors === "" ? "" : `STDERR:\n${errors}`].filter((part) => part !== "").join("\n");
}

/** Shows the latest line, not every one: a build may print thousands a second. */
export function createProgress(context: ToolContext, clock: Clock): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (clock.elapsed() - last < progressIntervalMs) return;
    const line = cleanOutput(takeTail(text, 1000)).trim().split("\n").at(-1) ?? "";
    if (line === "") return;
    last = clock.elapsed();
    context.progress(toOneLine(line, 200));
  };
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

/** How it ended, in a sentence that says what to do about it. */
export function describeEnd(end: ProcessEnd, timeoutSeconds: number): string {
  const { exitCode, endSignal, stopCause, isStillAlive } = end;
  if (isStillAlive)
    return "Killed, but it does not end: perhaps it waits for a disk. It may still do something.";
  if (stopCause !== undefined) return stopSentences[stopCause](timeoutSeconds);
  return endSignal === null ? `Exit code: ${exitCode}` : `Ended by signal ${endSignal}`;
}

const stopSentences: Record<StopCause, (timeoutSeconds: number) => string> = {
  timeout: (seconds) =>
    `Timed out after ${seconds} seconds; the command and all that it started were ended. Raise timeout (at most ${longestTimeout}), or run less.`,
  stopped: () => "Ended on request, with all that it started.",
  idle: () => "Ended: nobody asked for it for half an hour.",
  life: () => "Ended: no process may run for longer than four hours.",
  processes: () => "Ended: it started too many processes. Run fewer at once.",
  memory: () => "Ended: it took too much of the machine's memory. Use less.",
};

const lacksNetwork =
  /resolv(e|ing) (host|'|proxy)|resolve host|could not resolve|network is unreachable|name resolution|name or service not known|ENETUNREACH|EAI_AGAIN|ENOTFOUND|no such host|no servers could be reached|failed to establish a new connection|dns error|unknown host|nodename nor servname|temporary failure resolving|fetch failed|connection refused|ECONNREFUSED|failed to connect/i;
const lacksPlace = /read-only file system|EROFS|device or resource busy/i;

/** What a model should know when the sandbox stood in a command's way: how to ask for what is missing. */
export function explainConfinement(
  output: string,
  { exitCode }: Pick<ProcessEnd, "exitCode">,
  { network }: CommandAccess,
): string {
  const errors = exitCode === 0 ? (output.split("STDERR:\n")[1] ?? "") : output;
  if (network === undefined && lacksNetwork.test(errors))
    return '(The sandbox has no network. To ask for it, call again with network: ["the.host"].)';
  if (lacksPlace.test(errors))
    return "(In the sandbox only the workspace can be written, without memory, skills and prompt files, which file tools write. To ask for another path, call again with writable.)";
  return "";
}

export class HeadTail {
  readonly #limit: number;
  #head = "";
  #tail = "";
  #length = 0;

  /** Keeps that many characters at either end. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    this.#length += text.length;
    const room = this.#limit - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail = (this.#tail + text).slice(-this.#limit);
  }

  /** At most `size` characters, half from either end with a mark between, or everything if it fits. */
  show(size: number): string {
    if (this.#length <= Math.min(size, this.#limit)) return this.#head;
    const half = Math.floor(size / 2);
    const head = takeHead(this.#head, Math.min(half, this.#limit));
    const tail = takeTail(this.#tail, Math.min(size - half, this.#limit));
    const missing = this.#length - head.length - tail.length;
    return `${head}\n... (${missing} characters left out) ...\n${tail}`;
  }
}
