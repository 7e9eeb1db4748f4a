// Memory on the wire: its files, their versions, where a line came from, what is found, and what is to be forgotten.
import type { FileDiff } from "../../dream/versions.ts";
import type { MemoryLine } from "../../recall/forget.ts";

export interface MemoryFile {
  /** Relative to the folder of whose memory it is. */
  path: string;
  kind: "memory" | "character" | "note";
  bytes: number;
  /** Absent where there is no such file yet. */
  changedAt?: number;
}

export interface MemoryText {
  path: string;
  text: string;
  /** What `memory.save` wants to see; "" where there is no file yet. */
  hash: string;
}

/** Not saved: somebody else has changed it meanwhile. `diff` leads from that text to the one that was to be saved. */
export type MemorySaved =
  | { isSaved: true; hash: string; version?: string }
  | { isSaved: false; theirs: MemoryText; diff?: string };

export interface MemoryVersion {
  /** Eight characters, enough for every method. */
  id: string;
  /** `start` (kept as it was), `dream`, `edit`, `restore` or `forget`. */
  kind: string;
  at: number;
  /** Files with the number of lines added and removed. */
  summary: string;
}

/** Something that was said or written. */
export interface MemoryPlace {
  kind: "session" | "history" | "note" | "memory" | "document";
  /** Key of the session, or name of the file. */
  name: string;
  /** Of a message in a session. */
  entryId?: string;
  /** The name of who said it, or `user`, `assistant`, `tool`, or the kind. */
  who: string;
  at: number;
  text: string;
}

export interface MemoryFact {
  line: string;
  file: string;
  /** 0 where it is not known. */
  at: number;
  /** `unknown`: mostly a person with an editor. */
  writtenBy: "dream" | "conversation" | "unknown";
  /** Where untrusted content in it came from. */
  labels: string[];
  /** Messages that it was drawn from. */
  sources: MemoryPlace[];
}

export interface ForgetPreview {
  /** What `memory.forget` wants to see: exactly this goes, and nothing that came since. */
  digest: string;
  lines: MemoryLine[];
  messages: MemoryPlace[];
  summaries: MemoryPlace[];
  /** Of all, also of those that are too many to be listed. */
  counts: { lines: number; messages: number; summaries: number };
}

export interface MemoryMethods {
  "memory.files": { params: object; result: { files: MemoryFile[] } };
  "memory.read": { params: { path: string }; result: MemoryText };
  "memory.save": { params: { path: string; text: string; hash: string }; result: MemorySaved };
  "memory.log": { params: { most?: number }; result: { versions: MemoryVersion[] } };
  "memory.change": {
    params: { id: string };
    result: { version: MemoryVersion; files: FileDiff[] };
  };
  /** Undoes one change, and only that one. */
  "memory.restore": { params: { id: string }; result: MemoryVersion };
  "memory.why": { params: { text: string }; result: { facts: MemoryFact[]; similar: MemoryPlace[] } };
  "memory.search": { params: { query: string }; result: { found: MemoryPlace[] } };
  "memory.preview": { params: { words: string }; result: ForgetPreview };
  "memory.forget": { params: { words: string; digest: string }; result: { version?: string } };
  /** Takes as long as the model thinks. `detail` says why where it was refused or has failed. */
  "memory.dream": {
    params: object;
    result: {
      kind: "changed" | "unchanged" | "nothing-new" | "no-model" | "refused" | "failed";
      version?: string;
      detail: string;
    };
  };
}
