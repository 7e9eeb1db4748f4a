// The log: JSON lines in logs/nanobot.log, private, bounded, without secrets; with --verbose also on stderr.
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "./clock.ts";
import type { Redactor } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>;

export interface LogOptions {
  path: string;
  clock: Clock;
  redactor: Redactor;
  /** Also receives each line, for --verbose. */
  echo?: (line: string) => void;
}

const largestFile = 10 * 1024 * 1024;

export function createLog({ path, clock, redactor, echo }: LogOptions): Log {
  let size: number | undefined;

  function write(level: LogLevel, event: string, fields: Record<string, unknown> = {}): void {
    if (level === "debug" && echo === undefined) return;
    const entry = { time: new Date(clock.now()).toISOString(), level, event, ...fields };
    const line = `${redactor.redact(JSON.stringify(entry, replaceErrors))}\n`;
    echo?.(line);
    try {
      size = (size ?? prepare(path)) + Buffer.byteLength(line);
      if (size > largestFile) {
        renameSync(path, `${path}.1`);
        size = Buffer.byteLength(line);
      }
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // A full or read-only disk must not end a conversation for the sake of its log.
    }
  }

  return {
    debug: (event, fields) => write("debug", event, fields),
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
  };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

function prepare(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function replaceErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
