// The home of another assistant as data: what its formats hold, in our terms. Reading it changes nothing in it.
import type { Schedule } from "../jobs/job.ts";

export type ForeignProgram = "openclaw" | "hermes";

/** Where a file goes in the workspace. Prompt files are replaced as a whole; the others can be merged line by line. */
export interface ForeignFile {
  kind: "prompt" | "memory" | "note" | "document";
  /** Relative to the workspace. */
  target: string;
  path: string;
  /** Takes the place of the file's content, where the format is another one. */
  text?: string;
}

export interface ForeignJob {
  id: string;
  name: string;
  message: string;
  /** Absent: a kind of schedule or payload that does not exist here. */
  schedule?: Schedule;
  isEnabled: boolean;
  /** Where its results went. */
  chat?: { channel: string; chatId: string };
}

export interface ForeignHost {
  /** As the other program names it. */
  name: string;
  apiBase?: string;
  apiKey?: string;
}

export interface ForeignChannel {
  name: string;
  isEnabled: boolean;
  /** Keys of our config block for it; empty for a channel that does not exist here. */
  settings: Record<string, unknown>;
  secrets: Record<string, string>;
}

export interface ForeignSettings {
  /** The file that it was read from. */
  path: string;
  /** `host/model`. */
  model?: string;
  hosts: ForeignHost[];
  channels: ForeignChannel[];
  /** Names of MCP servers. */
  servers: string[];
}

export interface ForeignMessage {
  role: "user" | "assistant";
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface ForeignSession {
  id: string;
  path: string;
  title?: string;
  /** People other than the owner may have spoken in it. */
  isGroup: boolean;
  messages: ForeignMessage[];
}

export interface ForeignHome {
  program: ForeignProgram;
  folder: string;
  files: ForeignFile[];
  /** Folders with a SKILL.md. */
  skills: string[];
  jobs: ForeignJob[];
  settings?: ForeignSettings;
  /** Files that could not be read, and files that have no place here. */
  unreadable: string[];
  unused: string[];
  /** One at a time: all of them may not fit into memory. */
  sessions(): AsyncIterable<ForeignSession>;
}

export const largestFile = 1024 * 1024;
export const largestConfig = 4 * 1024 * 1024;
const mostMessages = 100_000;
const longestMessage = 200_000;

/** Bounds what a transcript may hold; replies that say nothing are left out. */
export function toMessages(messages: Iterable<ForeignMessage | undefined>): ForeignMessage[] {
  const kept: ForeignMessage[] = [];
  for (const message of messages) {
    const text = message?.text.trim() ?? "";
    if (message === undefined || text === "" || /^(NO_REPLY|HEARTBEAT_OK)\b/.test(text)) continue;
    kept.push({ ...message, text: text.slice(0, longestMessage).toWellFormed() });
    if (kept.length >= mostMessages) break;
  }
  return kept;
}

/** A time as a number of seconds or milliseconds, or as text; undefined if it is not one. */
export function toTime(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  return Math.round(number < 1e11 ? number * 1000 : number);
}
