// What a model reads when the file system says no.
import { opendir } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { findNearest } from "../lib/nearest.ts";
import { ToolError } from "../runner/tool.ts";

/** Of a mount whose server or device is gone. */
const noAnswer = (shown: string) =>
  `The drive that ${shown} lies on does not answer. Use another path, and tell the user.`;

const sentences: Record<string, (shown: string) => string> = {
  ENOENT: (shown) => `${shown} is not there any more. Look again before you go on.`,
  EACCES: (shown) =>
    `Permission denied: ${shown}. Use another path, or ask the user to change its permissions.`,
  EPERM: (shown) => `Not permitted: ${shown}. Use another path, or ask the user to change its permissions.`,
  EISDIR: (shown) => `${shown} is a folder, not a file. Use list_dir to see what is in it.`,
  ENOTDIR: (shown) =>
    `A part of ${shown} is a file, not a folder. Use list_dir on its parent to find the path.`,
  ELOOP: (shown) => `${shown} leads through symbolic links in a circle. Use another path.`,
  ENAMETOOLONG: (shown) =>
    `A name in ${shown.slice(0, 200)} is too long for the file system. Use a shorter one.`,
  ENOSPC: (shown) => `The disk is full; ${shown} was not written. Tell the user.`,
  EDQUOT: (shown) => `The disk quota is used up; ${shown} was not written. Tell the user.`,
  EROFS: (shown) => `${shown} is on a read-only file system. Use another path.`,
  EINVAL: (shown) => `The file system does not take the name ${shown}. Use another one.`,
  EIO: (shown) => `The disk answered with an error for ${shown}. Use another path, and tell the user.`,
  ESTALE: noAnswer,
  ENOTCONN: noAnswer,
  EHOSTDOWN: noAnswer,
  ETIMEDOUT: noAnswer,
  ENODEV: noAnswer,
  ENXIO: noAnswer,
  EMFILE: (shown) => `Too many files are open to look at ${shown}. Try again.`,
  ENFILE: (shown) => `Too many files are open to look at ${shown}. Try again.`,
  EBUSY: (shown) => `${shown} is in use. Try again.`,
};

/** A sentence for failures of the world; anything else is given back to be thrown as it is. */
export function toFileError(error: unknown, shown: string): unknown {
  const sentence = sentences[codeOf(error) ?? ""];
  return sentence === undefined ? error : new ToolError(sentence(shown));
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** Names the sibling that was probably meant. `path` is resolved and inside the roots, `shown` is for the model. */
export async function toMissingError(path: string, shown: string): Promise<ToolError> {
  const sibling = findSibling(basename(path), await listNames(dirname(path)));
  const hint =
    sibling === undefined ? "Use list_dir or glob to find it." : `Did you mean "${sibling}" there?`;
  return new ToolError(`Not found: ${shown}. ${hint}`);
}

/** The same name with another ending, case or Unicode form; otherwise the one that is spelled most alike. */
function findSibling(name: string, siblings: string[]): string | undefined {
  const wanted = toStem(name);
  return siblings.find((sibling) => toStem(sibling) === wanted) ?? findNearest(name, siblings);
}

function toStem(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase();
  return plain.slice(0, plain.length - extname(plain).length);
}

const mostNames = 2000;

async function listNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length === mostNames) break;
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  return names;
}
