// Files that a person hands over with a message. Those outside of the workspace are copied to where the file tools may
// read them: naming a file is a yes to that one, not to its folder.
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import { copyToFile, makeFolder, writeFileAtomic } from "../../storage/files/change-files.ts";
import { toMention } from "../chat/completion.ts";
import type { TuiLibrary } from "../draw/markdown.ts";
import { CommandFailure } from "./failure.ts";

export interface MediaPlace {
  /** Files in it are read where they are. */
  workspace?: string;
  /** Where copies go. */
  folder: string;
  clock: Clock;
  words: Words;
}

export function takeMedia(paths: readonly string[], place: MediaPlace): Promise<string[]> {
  return Promise.all(paths.map((path, index) => takeOne(resolve(path), index, place)));
}

async function takeOne(
  path: string,
  index: number,
  { workspace, folder, clock, words }: MediaPlace,
): Promise<string> {
  const target = join(folder, `${clock.now()}-${index}-${basename(path)}`);
  try {
    const isFile = (await stat(path)).isFile();
    // What is no plain file is explained where the message is put together.
    const isReadable = workspace !== undefined && !relative(workspace, path).startsWith("..");
    if (!isFile || isReadable) return path;
    await makeFolder(folder);
    await copyToFile(path, target);
    return target;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandFailure(words.failure.noMedia(path, code), 2);
  }
}

const mention = /(?:^|\s)@(?:"([^"]+)"|(\S+))/g;
const imageName = /\.(?:png|jpe?g|gif|webp)$/i;
const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";

/** Those that are there, as absolute paths. */
export async function findMentionedFiles(text: string, folders: readonly string[]): Promise<string[]> {
  const names = [...text.matchAll(mention)].map(
    ([, quoted, bare = ""]) => quoted ?? bare.replace(/[.,;:!?，。；：！？]+$/u, ""),
  );
  const found = await Promise.all(names.map((name) => findFile(name, folders)));
  return [...new Set(found.filter((path) => path !== undefined))];
}

async function findFile(name: string, folders: readonly string[]): Promise<string | undefined> {
  const path = name.startsWith("~/") ? join(homedir(), name.slice(2)) : name;
  const candidates = isAbsolute(path) ? [path] : folders.map((folder) => resolve(folder, path));
  for (const candidate of candidates) {
    const status = await stat(candidate).catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
    });
    if (status?.isFile()) return candidate;
  }
  return undefined;
}

/** What terminals paste for a file that is dropped on them: the path of an image becomes a mention of it. */
export function withImageMention(keys: string): string {
  if (!keys.startsWith(pasteStart) || !keys.endsWith(pasteEnd)) return keys;
  const path = toPath(keys.slice(pasteStart.length, -pasteEnd.length).trim());
  const isImage = isAbsolute(path) && imageName.test(path) && !/[\r\n]/.test(path);
  return isImage ? `${pasteStart}${toMention(path)} ${pasteEnd}` : keys;
}

function toPath(pasted: string): string {
  const bare = pasted.replace(/^(['"])([\s\S]*)\1$/, "$2");
  if (!bare.startsWith("file://")) return bare.replaceAll(/\\(.)/g, "$1");
  return URL.canParse(bare) ? fileURLToPath(bare) : bare;
}

/** The image of the clipboard as a file, where this system lets us read it. */
export async function saveClipboardImage(
  { getNativeClipboard }: TuiLibrary,
  { folder, clock }: { folder: string; clock: Clock },
): Promise<string | undefined> {
  const bytes = await getNativeClipboard()?.getImage();
  const type = bytes ? sniffImageType(Buffer.from(bytes)) : undefined;
  if (!bytes || type === undefined) return undefined;
  const path = join(folder, `${clock.now()}-clipboard.${type.replace("image/", "")}`);
  await makeFolder(folder);
  await writeFileAtomic(path, bytes);
  return path;
}
