// Folders that exist only while commands run: a sandbox can close only what is there, and a workspace should not be left
// with empty folders. What was made is on record, so that a later start removes what a killed process left.

import { mkdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { listLeftRecords, RunRecord } from "./run-records.ts";

const recordKind = "mount-points";
const recordSchema = z.array(z.string());

export class MountPoints {
  readonly #record: RunRecord | undefined;
  /** How many commands need each. */
  readonly #uses = new Map<string, number>();
  readonly #made = new Set<string>();

  /** `folder` holds the record; without one nothing is recorded. Removes what processes that are gone have left. */
  constructor(folder?: string) {
    if (folder === undefined) return;
    for (const { value, remove: forget } of listLeftRecords(folder, recordKind)) {
      for (const path of recordSchema.safeParse(value).data ?? []) remove(path);
      forget();
    }
    this.#record = new RunRecord(folder, recordKind);
  }

  /** Makes missing folders. The returned function says that a command no longer needs them. */
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
    const missing = more.filter((path) => !this.#made.has(path) && lookAt(path) === undefined);
    const all = [...this.#made, ...missing];
    this.#record?.write(all.length === 0 ? undefined : all);
  }
}

function make(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(path, 0o700);
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
