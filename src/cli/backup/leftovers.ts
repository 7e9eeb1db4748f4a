// Temporary files of a backup, written down before they are made, so that those of one that was killed are removed later.

import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../../lib/is-alive.ts";
import { readJsonFile } from "../../storage/files/json-file.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";

export interface Leftovers {
  /** The name of a temporary file beside `path`. */
  name(path: string): Promise<string>;
  remove(): Promise<void>;
}

const noteName = /^backup-(\d+)-[0-9a-f]{8}\.json$/;
const temporaryName = /\.[0-9a-f]{8}\.partial$/;
/** As the first version named the copy of its database. */
const olderName = /^state\.db\.[0-9a-f]{8}\.copy$/;

/** The folder is the home's `run`. */
export function createLeftovers(folder: string): Leftovers {
  const note = join(folder, `backup-${process.pid}-${randomBytes(4).toString("hex")}.json`);
  const paths: string[] = [];
  return {
    async name(path) {
      paths.push(`${path}.${randomBytes(4).toString("hex")}.partial`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(note, JSON.stringify({ paths }), { mode: 0o600 });
      return paths.at(-1) ?? "";
    },
    async remove() {
      for (const path of paths) await rm(path, { force: true });
      await rm(note, { force: true });
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
    for (const path of paths) if (temporaryName.test(String(path))) await rm(String(path), { force: true });
    await rm(join(folder, name), { force: true });
  }
  for (const name of (await readdir(home).catch(ignoreMissing)) ?? [])
    if (olderName.test(name)) await rm(join(home, name), { force: true });
}
