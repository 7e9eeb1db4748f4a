// Files named by their content, so that the same content is written once: images of conversations, messages that are too
// long for a prompt, answers that are too long for a platform.
import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "../../lib/json-tree.ts";
import { writeFileAtomic } from "../files/change-files.ts";
import { makeFolders } from "../files/make-folders.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { readWithin } from "../files/with-file.ts";
import { announceChange } from "../served-homes.ts";

/** Returns the path. */
export async function keepImage(folder: string, bytes: Uint8Array, ending: string): Promise<string> {
  const path = join(folder, `${hashOf(bytes)}.${ending}`);
  await keep(path, bytes);
  return path;
}

/** Undefined when it is gone, cannot be read, or has more than `most` bytes. */
export async function readImageFile(path: string, most: number): Promise<Buffer | undefined> {
  try {
    return await readWithin(path, most);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR", "EACCES", "ENOTDIR"].includes(code)) return undefined;
    throw error;
  }
}

/** Where a message that is too long for a prompt is kept, from the person's folder. */
export function longMessagePath(text: string): string {
  return join("attachments", `${hashOf(text).slice(0, 32)}.txt`);
}

export function keepLongMessage(personRoot: string, text: string): Promise<void> {
  return keep(join(personRoot, longMessagePath(text)), Buffer.from(text));
}

/** Returns the path. Synchronous, because it is called where parts are stored. */
export function keepSentText(folder: string, text: string): string {
  const path = join(folder, hashOf(text).slice(0, 32), "answer.md");
  if (existsSync(path)) return path;
  makeFolders(dirname(path), 0o700);
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  announceChange(dirname(path));
  return path;
}

/** What a text sounds like, by what it was made of. */
export async function keepSentVoice(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = voicePath(folder, name);
  makeFolders(dirname(path), 0o700);
  await writeFileAtomic(path, bytes);
  return path;
}

export async function findSentVoice(folder: string, name: string): Promise<string | undefined> {
  const path = voicePath(folder, name);
  return (await stat(path).catch(ignoreMissing)) && path;
}

function voicePath(folder: string, name: string): string {
  return join(folder, hashOf(name).slice(0, 32), "answer.opus");
}

async function keep(path: string, bytes: Uint8Array): Promise<void> {
  const existing = await stat(path).catch(ignoreMissing);
  if (existing?.size !== bytes.length) await writeFileAtomic(path, bytes);
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The prefixes of epochs, each once under its hash, in the folder of the sessions. Knows nothing of their content. */
export class PrefixFiles {
  readonly #folder: string;

  constructor(sessionsFolder: string) {
    this.#folder = join(sessionsFolder, "prefixes");
  }

  /** Undefined when it is gone, or no JSON. */
  async read(hash: string): Promise<unknown> {
    return parseJson((await readFile(this.#pathOf(hash), "utf8").catch(ignoreMissing)) ?? "");
  }

  write(hash: string, prefix: object): Promise<void> {
    return writeFileAtomic(this.#pathOf(hash), JSON.stringify(prefix));
  }

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.json`);
  }
}
