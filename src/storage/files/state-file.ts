// A small state file of ours: one JSON object with its last good copy next to it. Reading changes nothing; what is invalid
// is set aside before it is replaced, and what cannot be read for now is an error, never replaced. Knows no content.
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PhrasedError } from "../../i18n/user-error.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { copyToFile, removeFile, writeFileAtomic } from "./change-files.ts";
import { type InvalidFile, readJsonFile, type UnreadableFile } from "./json-file.ts";
import { syncFolder } from "./with-file.ts";

export interface StateFileOptions {
  /** What is wrong with valid JSON, as the end of a sentence that begins with the file's name. */
  findFault?(value: JsonObject): string | undefined;
  /** An existing file keeps its mode instead of becoming private. */
  keepsMode?: boolean;
}

export interface StateContent {
  /** Undefined: there is no file, or nothing of it could be used. */
  value: JsonObject | undefined;
  /** What is wrong with a file that is invalid, and what is used instead: for the log. */
  problem?: string;
}

/** The file cannot be used for now, or cannot take what is to be written. Nothing was changed. */
export class StateFileError extends PhrasedError {
  override readonly name = "StateFileError";
  override readonly phrase: StateFileFault;

  constructor(fault: StateFileFault) {
    super(toLogText(fault));
    this.phrase = fault;
  }
}

/** A code of the catalogue with its parameters, as `Phrase` has them. */
export type StateFileFault =
  | UnreadableFile
  | { code: "file.would-be-too-large"; params: { file: string; megabytes: number } };

/** What is written is limited, so that everything that was written can be read. */
const largestState = 16 * 1024 * 1024;
/** Invalid files that are kept next to a file; the first ones stay. */
const mostAside = 5;

export class StateFile {
  readonly path: string;
  readonly #options: StateFileOptions;

  constructor(path: string, options: StateFileOptions = {}) {
    this.path = path;
    this.#options = options;
  }

  async read(): Promise<StateContent> {
    const file = await this.#readValid(this.path);
    if (typeof file !== "string") return { value: file };
    const copy = await this.#readValid(this.#copyPath);
    const isCopied = typeof copy === "object";
    const fallback = isCopied ? `${basename(this.#copyPath)} is used` : "it counts as empty";
    return { value: isCopied ? copy : undefined, problem: `${file}; ${fallback}` };
  }

  /** Keys that are not ours belong into the value, too. */
  async write(value: JsonObject): Promise<void> {
    const text = `${JSON.stringify(value, null, 2)}\n`;
    if (Buffer.byteLength(text) > largestState) {
      const params = { file: this.path, megabytes: largestState / 1024 / 1024 };
      throw new StateFileError({ code: "file.would-be-too-large", params });
    }
    if (typeof (await this.#readValid(this.path)) === "string") await setAside(this.path);
    const mode = { mode: 0o600, forceMode: this.#options.keepsMode !== true };
    // The copy first: after a crash in between, the older file still counts, and nothing older than it can come back.
    await writeFileAtomic(this.#copyPath, text, { mode: 0o600, forceMode: true });
    await writeFileAtomic(this.path, text, mode);
  }

  async remove(): Promise<void> {
    await removeFile(this.path);
    await removeFile(this.#copyPath);
  }

  /** Differs once the file was written by another process or a person. */
  async stamp(): Promise<string> {
    try {
      const { ino, size, mtimeNs } = await stat(this.path, { bigint: true });
      return `${ino}:${size}:${mtimeNs}`;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return code;
    }
  }

  /** Undefined when there is none; a text says why it is invalid. */
  async #readValid(path: string): Promise<JsonObject | string | undefined> {
    const file = await readJsonFile(path);
    if (file.state === "absent") return undefined;
    if (file.state === "invalid") return toLogText(file.fault);
    if (file.state === "unreadable") {
      const params = { ...file.fault.params, file: path };
      throw new StateFileError({ ...file.fault, params } as UnreadableFile);
    }
    const fault = this.#options.findFault?.(file.value);
    return fault === undefined ? file.value : `${basename(path)} ${fault}`;
  }

  get #copyPath(): string {
    return `${this.path}.last-good`;
  }
}

function toLogText({ code, params }: StateFileFault | InvalidFile): string {
  return `${code} ${JSON.stringify(params)}`;
}

/** Keeps a copy next to the file, once for the same bytes; returns its name. */
export async function setAside(path: string): Promise<string> {
  const [folder, name] = [dirname(path), basename(path)];
  const bytes = await readFile(path);
  const kept = (await readdir(folder)).filter((other) => other.startsWith(`${name}.corrupt-`)).sort();
  for (const other of kept) if (bytes.equals(await readFile(join(folder, other)))) return join(folder, other);
  const numbers = Array.from({ length: mostAside }, (_, index) => `${name}.corrupt-${index + 1}`);
  const free = numbers.find((other) => !kept.includes(other)) ?? `${name}.corrupt-${mostAside}`;
  await copyToFile(path, join(folder, free));
  await syncFolder(folder);
  return join(folder, free);
}

/** Rows that can be used, and the others as they are, to be written back. */
export function splitRows<T>(
  rows: unknown,
  parse: (row: unknown) => T | undefined,
): { known: T[]; foreign: unknown[] } {
  const known: T[] = [];
  const foreign: unknown[] = [];
  for (const row of Array.isArray(rows) ? rows : []) {
    const value = parse(row);
    if (value === undefined) foreign.push(row);
    else known.push(value);
  }
  return { known, foreign };
}
