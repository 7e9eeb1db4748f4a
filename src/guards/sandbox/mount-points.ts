// Folders that exist only while commands run: a sandbox can close only what is there, and a workspace should not be left
// with empty folders. What was made is on record, so that a later start removes what a killed process left.

import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { isAlive } from "../../lib/is-alive.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";

const recordName = /^mount-points-(\d+)-\d+\.json$/;
const recordSchema = z.array(z.string());
/** Records of this process: the number of one that is gone may have become its own. */
const ownRecords = new Set<string>();

export class MountPoints {
  readonly #record: string | undefined;
  /** How many commands need each. */
  readonly #uses = new Map<string, number>();
  readonly #made = new Set<string>();

  /** `folder` holds the record; without one nothing is recorded. Removes what processes that are gone have left. */
  constructor(folder?: string) {
    if (folder === undefined) return;
    clear(folder);
    this.#record = join(folder, `mount-points-${process.pid}-${ownRecords.size}.json`);
    ownRecords.add(this.#record);
  }

  /** Makes what is missing. The returned function says that a command no longer needs them. */
  hold(paths: readonly string[]): () => void {
    for (const path of paths) this.#uses.set(path, (this.#uses.get(path) ?? 0) + 1);
    this.#write(paths);
    for (const path of paths) if (make(path)) this.#made.add(path);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(paths);
      isHeld = false;
    };
  }

  #release(paths: readonly string[]): void {
    for (const path of paths) {
      const uses = (this.#uses.get(path) ?? 0) - 1;
      this.#uses.set(path, uses);
      if (uses > 0) continue;
      this.#uses.delete(path);
      if (this.#made.has(path) && remove(path)) this.#made.delete(path);
    }
    this.#write([]);
  }

  /** Before they are made: one that is on record and was not made is not there to be removed. */
  #write(more: readonly string[]): void {
    if (this.#record === undefined) return;
    const missing = more.filter((path) => !this.#made.has(path) && lookAt(path) === undefined);
    const all = [...this.#made, ...missing];
    try {
      if (all.length === 0) rmSync(this.#record, { force: true });
      else writeRecord(this.#record, all);
    } catch (error) {
      // A full disk: empty folders may be left if this process is killed now.
      if (codeOf(error) === undefined) throw error;
    }
  }
}

function writeRecord(record: string, paths: string[]): void {
  mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
  writeFileSync(record, JSON.stringify(paths), { mode: 0o600 });
}

function clear(folder: string): void {
  for (const name of list(folder)) {
    const pid = Number(recordName.exec(name)?.[1]);
    const record = join(folder, name);
    if (Number.isNaN(pid) || ownRecords.has(record)) continue;
    if (pid !== process.pid && isAlive(pid)) continue;
    for (const path of recordSchema.safeParse(parseJson(readText(record))).data ?? []) remove(path);
    rmSync(record, { force: true });
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "";
  }
}

function make(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/** False when it has to be tried again. What has something in it by now stays. */
function remove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code !== "EBUSY";
  }
}
