// taint.jsonl: which files were written with content from outside in mind, and where that came from. One line a change,
// the last one of a path counts; bounded. In memory by real path. The labels of a folder count for everything in it.
import { dirname } from "node:path";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { joinLabels, labelsOf, withLabels } from "../../lib/labels.ts";
import { appendToFile, writeFileAtomic } from "../files/change-files.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../files/file-stamp.ts";
import { readPlainFile } from "../files/plain-file.ts";
import { fromStored, toRealHome, toStored } from "../stored-path.ts";

const mostFiles = 2_000;
const mostBytes = 256 * 1024 * 1024;

export class TaintedFiles {
  readonly #path: string;
  readonly #lock = new KeyedLock();
  #files = new Map<string, string[]>();
  #lines = 0;
  /** Lines that are not understood: kept as they are. */
  #foreign: string[] = [];
  #stamp: FileStamp | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** By real path: its own, and those of the folders around it. */
  async labelsOf(path: string): Promise<string[]> {
    const files = await this.list();
    const found = [files.get(path) ?? []];
    for (let at = path; dirname(at) !== at; at = dirname(at)) found.push(files.get(dirname(at)) ?? []);
    return joinLabels(...found);
  }

  /** Also what another process has added meanwhile. */
  async list(): Promise<ReadonlyMap<string, string[]>> {
    const isSame = this.#stamp === undefined ? takeStamp(this.#path) === undefined : isUnchanged(this.#stamp);
    if (!isSame) await this.#load();
    return this.#files;
  }

  /** Without labels: the file is clean again. */
  record(path: string, labels: readonly string[]): Promise<void> {
    return this.#change([[path, labels]]);
  }

  /** Adds to what is known of each. */
  async add(paths: readonly string[], labels: Iterable<string>): Promise<void> {
    const known = await this.list();
    await this.#change(paths.map((path) => [path, joinLabels(known.get(path) ?? [], labels)]));
  }

  #change(entries: Array<[path: string, labels: readonly string[]]>): Promise<void> {
    return this.#lock.run("", async () => {
      const files = await this.list();
      const news = entries.filter(
        ([path, labels]) => (files.get(path) ?? []).join("\n") !== labels.join("\n"),
      );
      if (news.length === 0) return;
      for (const [path, labels] of news) this.#set(path, [...labels]);
      const lines = news.map(([path, labels]) => this.#toLine(path, labels));
      await appendToFile(this.#path, lines.join(""));
      this.#lines += lines.length;
      if (this.#lines > 2 * mostFiles) await this.#rewrite();
      this.#stamp = takeStamp(this.#path);
    });
  }

  async #load(): Promise<void> {
    this.#stamp = takeStamp(this.#path);
    const text = (await readPlainFile(this.#path, mostBytes)) ?? "";
    const lines = text.split("\n").filter(Boolean);
    const home = toRealHome(dirname(this.#path));
    this.#files = new Map();
    this.#foreign = [];
    for (const line of lines) {
      const entry = parseLine(line);
      if (typeof entry?.path === "string") this.#set(fromStored(home, entry.path), labelsOf(entry));
      else this.#foreign.push(`${line}\n`);
    }
    // After half a line nothing may be appended: the next change writes it again.
    this.#lines = text === "" || text.endsWith("\n") ? lines.length : Number.POSITIVE_INFINITY;
  }

  async #rewrite(): Promise<void> {
    const known = [...this.#files].map(([path, labels]) => this.#toLine(path, labels));
    const lines = [...this.#foreign.slice(-mostFiles), ...known];
    await writeFileAtomic(this.#path, lines.join(""), { mode: 0o600, forceMode: true });
    this.#lines = lines.length;
  }

  #toLine(path: string, labels: readonly string[]): string {
    const stored = toStored(dirname(this.#path), path);
    return `${JSON.stringify({ path: stored, ...withLabels(labels) })}\n`;
  }

  #set(path: string, labels: string[]): void {
    this.#files.delete(path);
    if (labels.length > 0) this.#files.set(path, labels);
    if (this.#files.size > mostFiles) this.#join();
  }

  /** No label is lost for lack of space: the folder that holds most of the files has them for all that is in it. */
  #join(): void {
    const byFolder = Map.groupBy(this.#files.keys(), (path) => dirname(path));
    const [folder, paths] = [...byFolder].reduce((most, each) =>
      each[1].length > most[1].length ? each : most,
    );
    const labels = joinLabels(...[folder, ...paths].map((path) => this.#files.get(path) ?? []));
    for (const path of paths) this.#files.delete(path);
    this.#files.set(folder, labels);
  }
}

/** A torn line says nothing. */
function parseLine(line: string): { path?: unknown } | undefined {
  try {
    return (JSON.parse(line) ?? undefined) as { path?: unknown } | undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
