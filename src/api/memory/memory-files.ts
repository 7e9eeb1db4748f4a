// The files of somebody's memory as a person edits them. What was there is kept as a version first, and what somebody
// else has changed since it was read is never written over.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { compareLines } from "../../dream/dream-stage.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { diffLines } from "../../lib/line-diff.ts";
import { Provenance } from "../../storage/documents/provenance.ts";
import { readTracked, readTrackedText, writeTracked } from "../../storage/documents/tracked-file.ts";
import type { Version, Versions } from "../../storage/documents/versions.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";

export interface MemoryFilesParts {
  /** The person's folder. */
  root: string;
  isOwner: boolean;
  versions: Versions;
  clock: Clock;
}

export interface MemoryFiles {
  list(): Promise<MemoryFile[]>;
  read(path: string): Promise<MemoryText>;
  /** What was changed by hand or in a conversation becomes a version. Under the home lock, like the next one. */
  keep(): Promise<void>;
  /** `hash` is of the text that was read before. */
  save(text: MemoryText): Promise<MemorySaved>;
}

export interface MemoryFile {
  /** Relative to the person's folder. */
  path: string;
  kind: "memory" | "character" | "note";
  bytes: number;
  /** Absent where there is no such file yet. */
  changedAt?: number;
}

export interface MemoryText {
  path: string;
  text: string;
  /** What saving it takes; "" where there is no file yet. */
  hash: string;
}

/** Not saved: it has changed in the meantime. `diff` leads from that text to the one that was to be saved. */
export type MemorySaved =
  | { isSaved: true; hash: string; version?: string }
  | { isSaved: false; theirs: MemoryText; diff?: string };

const mainFile = "memory/MEMORY.md";
const ownFiles = [mainFile, "USER.md"];
/** Of the assistant itself; those behind the first only where they are there. */
const characterFiles = ["SOUL.md", "AGENTS.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md"];
const note = /^memory\/\d{4}-\d\d-\d\d\.md$/;
const mostNotes = 1_000;
const longestDiff = 40_000;
const lock = new KeyedLock();

export function openMemoryFiles({ root, isOwner, versions, clock }: MemoryFilesParts): MemoryFiles {
  const names = isOwner ? [...ownFiles, ...characterFiles] : ownFiles;

  async function read(path: string): Promise<MemoryText> {
    const isNamed = names.includes(path) || note.test(path);
    const content = isNamed ? await readTracked(root, path) : "foreign";
    if (content === "foreign") throw fail("memory.not-editable", { path });
    return content === "absent"
      ? { path, text: "", hash: "" }
      : { path, text: content.toString("utf8"), hash: toHash(content) };
  }

  async function look(path: string): Promise<MemoryFile> {
    const kind = note.test(path) ? "note" : characterFiles.includes(path) ? "character" : "memory";
    const found = await stat(join(root, path)).catch(ignoreMissing);
    return { path, kind, bytes: found?.size ?? 0, ...(found && { changedAt: found.mtimeMs }) };
  }

  async function write({ path, text }: MemoryText, before: string): Promise<Version | undefined> {
    await writeTracked(root, path, Buffer.from(text));
    const { added } = compareLines(before, await readTrackedText(root, path));
    const lines = added.filter((line) => !line.startsWith("#"));
    await new Provenance(root).record(lines.map((line) => ({ file: path, line, at: clock.now() })));
    return versions.commit({ kind: "edit", paths: [path] });
  }

  async function keep(...paths: string[]): Promise<void> {
    await versions.commit({ kind: "start", paths: [...new Set([...names, ...paths])] });
  }

  return {
    read,
    keep: () => keep(),
    async list() {
      const notes = (await readdir(join(root, "memory")).catch(ignoreMissing)) ?? [];
      const days = notes.map((name) => `memory/${name}`).filter((path) => note.test(path));
      const all = await Promise.all([...names, ...days.sort().reverse().slice(0, mostNotes)].map(look));
      const isShown = ({ path, changedAt }: MemoryFile) =>
        changedAt !== undefined || ownFiles.includes(path) || path === characterFiles[0];
      return all.filter(isShown);
    },
    save({ path, text: given, hash }) {
      return lock.run(root, async () => {
        await read(path);
        await keep(path);
        const theirs = await read(path);
        const text = withEndsOf(theirs.text, given.toWellFormed());
        const saved = { isSaved: true as const, hash: toHash(text) };
        // Also when it is asked a second time, because the answer was lost.
        if (theirs.text === text) return saved;
        if (theirs.hash !== hash)
          return { isSaved: false, theirs, diff: await diffLines(theirs.text, text, longestDiff) };
        const version = await write({ path, text, hash }, theirs.text);
        return { ...saved, ...(version && { version: version.id }) };
      });
    },
  };
}

/** A browser gives every line the same end. */
function withEndsOf(before: string, text: string): string {
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

function toHash(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}
