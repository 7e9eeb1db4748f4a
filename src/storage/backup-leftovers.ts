// Temporary files of a backup, written down before they are made, so that those of one that was killed are removed later.
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../lib/process/is-alive.ts";
import { removeFile, writeFileAtomic } from "./files/change-files.ts";
import { readJsonFile } from "./files/json-file.ts";
import { ignoreMissing } from "./files/plain-file.ts";

export interface Leftovers {
  /** The name of a temporary file next to `path`. */
  name(path: string): Promise<string>;
  remove(): Promise<void>;
}

const noteName = /^backup-(\d+)-[0-9a-f]{8}\.json$/;
const temporaryName = /\.[0-9a-f]{8}\.partial$/;
/** As the first version named the copy of its database. */
const olderName = /^state\.db\.[0-9a-f]{8}\.copy$/;

export function createLeftovers(home: string): Leftovers {
  const folder = join(home, "run");
  const note = join(folder, `backup-${process.pid}-${randomBytes(4).toString("hex")}.json`);
  const paths: string[] = [];
  return {
    async name(path) {
      paths.push(`${path}.${randomBytes(4).toString("hex")}.partial`);
      await writeFileAtomic(note, JSON.stringify({ paths }));
      return paths.at(-1) ?? "";
    },
    async remove() {
      for (const path of paths) await removeFile(path);
      await removeFile(note);
    },
  };
}

/** Of backups whose process is gone. */
export async function removeLeftovers(home: string): Promise<void> {
  const folder = join(home, "run");
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    const pid = Number(noteName.exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    const note = await readJsonFile(join(folder, name));
    const paths = note.state === "read" && Array.isArray(note.value.paths) ? note.value.paths : [];
    for (const path of paths) if (temporaryName.test(String(path))) await removeFile(String(path));
    await removeFile(join(folder, name));
  }
  for (const name of (await readdir(home).catch(ignoreMissing)) ?? [])
    if (olderName.test(name)) await removeFile(join(home, name));
}
