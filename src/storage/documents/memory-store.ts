// MemoryStore: the documents of one scope: prompt files, memory, notes, history, with their versions and where each line
// came from. Documents opens them by scope; nothing else knows where they are.
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import { appendToFile, makeFolder } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { failedWriting } from "../files/stored-file-error.ts";
import type { HomePaths } from "../home.ts";
import type { Scope } from "../scope.ts";
import { listScopes, rootOf, toScopeName } from "../scope-folders.ts";
import { describeHeldBack, type HistoryEntry, HistoryLog } from "./history-log.ts";
import { Provenance } from "./provenance.ts";
import { SkillLearning } from "./skill-learning.ts";
import { readTracked, readTrackedText, type TrackedContent, writeTracked } from "./tracked-file.ts";
import { Versions, type VersionsOptions } from "./versions.ts";

export interface DocumentsOptions {
  paths: Pick<HomePaths, "home" | "run">;
  workspace: string;
  /** Represents the workspace among several of a home, also after it was moved. */
  name: string;
  clock: Clock;
  /** The day of a note, in the assistant's time zone. */
  toDay(ms: number): string;
  onVersionsProblem?: VersionsOptions["onProblem"];
}

/** The documents of everyone in a workspace. */
export class Documents {
  readonly options: DocumentsOptions;

  constructor(options: DocumentsOptions) {
    this.options = options;
  }

  of(scope: Scope): MemoryStore {
    return new MemoryStore(scope, this.options);
  }

  /** The owner's, and those of everyone who has documents. */
  scopes(onUnreadable?: (error: unknown) => undefined): Promise<Scope[]> {
    return listScopes(this.options.workspace, onUnreadable);
  }

  /** Where copies are staged, and journals wait for their end. */
  get stagingFolder(): string {
    return join(this.options.paths.run, "dream");
  }
}

export const mainMemoryFile = "memory/MEMORY.md";

const noteName = /^\d{4}-\d\d-\d\d\.md$/;
const attachments = "attachments";
const longestNoteLine = 500;

export class MemoryStore {
  readonly scope: Scope;
  readonly history: HistoryLog;
  readonly provenance: Provenance;
  readonly versions: Versions;
  /** Of the skills of the workspace, which are the owner's. */
  readonly learning: SkillLearning;
  readonly #root: string;
  readonly #options: DocumentsOptions;

  constructor(scope: Scope, options: DocumentsOptions) {
    const { paths, workspace, name, clock, onVersionsProblem: onProblem } = options;
    this.scope = scope;
    this.#root = rootOf(workspace, scope);
    this.#options = options;
    this.history = new HistoryLog(this.#root, clock);
    this.provenance = new Provenance(this.#root);
    // Apart from any repository in the workspace.
    const gitFolder = join(paths.home, "versions", name, `${toScopeName(scope)}.git`);
    this.versions = new Versions({ gitFolder, workTree: this.#root, clock, onProblem });
    this.learning = new SkillLearning(join(paths.home, "versions", name, "skills.json"));
  }

  /** Of a file by its path in the scope's root. */
  read(path: string): Promise<TrackedContent> {
    return readTracked(this.#root, path);
  }

  /** "" for what is not there or left alone. */
  readText(path: string): Promise<string> {
    return readTrackedText(this.#root, path);
  }

  write(path: string, text: string): Promise<void> {
    return writeTracked(this.#root, path, Buffer.from(text));
  }

  /** Its size and the time of its last change; undefined where there is no file. */
  async look(path: string): Promise<{ size: number; changedAt: number } | undefined> {
    const status = await stat(join(this.#root, path)).catch(ignoreMissing);
    return status && { size: status.size, changedAt: status.mtimeMs };
  }

  /** Paths of the daily notes, oldest first. */
  async listNotes(): Promise<string[]> {
    return (await this.#list("memory")).filter(isNote);
  }

  /** Paths of messages that were too long for a conversation. */
  listLongMessages(): Promise<string[]> {
    return this.#list(attachments);
  }

  /** One line in the note of the day on which it happened. */
  async addNote({ at = this.#options.clock.now(), ...entry }: NotedEntry): Promise<void> {
    const path = this.locate(`memory/${this.#options.toDay(at)}.md`);
    const line = `${toNoteLine(entry)}\n`;
    // After a crash the same line comes again.
    if ((await readFile(path, "utf8").catch(ignoreMissing))?.endsWith(line)) return;
    await makeFolder(dirname(path));
    await appendToFile(path, line).catch(failedWriting(path));
  }

  /** For those who judge real paths: the place of a file. */
  locate(path: string): string {
    return join(this.#root, path);
  }

  async #list(folder: string): Promise<string[]> {
    const names = (await readdir(join(this.#root, folder)).catch(ignoreMissing)) ?? [];
    return names.sort().map((name) => `${folder}/${name}`);
  }
}

export function isNote(path: string): boolean {
  const [folder, name = "", ...rest] = path.split("/");
  return folder === "memory" && noteName.test(name) && rest.length === 0;
}

/** What was said is not memory: no version of it is kept. */
export function isLongMessage(path: string): boolean {
  return path.startsWith(`${attachments}/`);
}

type NotedEntry = Pick<HistoryEntry, "content" | "labels"> & {
  session_key: string;
  /** Time of its last message; default: now. */
  at?: number;
};

/** What is in a daily note of an entry of the history: content from outside is not shown unasked. */
export function toNoteLine({ session_key, content, labels = [] }: NotedEntry): string {
  const noted = labels.length === 0 ? toOneLine(content, 160) : describeHeldBack(labels);
  return `- ${toOneLine(`${session_key}: ${noted}`, longestNoteLine)}`;
}
