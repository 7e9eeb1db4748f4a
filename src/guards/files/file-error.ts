// What people and a model are told when the file system says no.
import { opendir } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { ToolError } from "../../runner/tool.ts";

type FileCode =
  | "file.missing"
  | "file.denied"
  | "file.is-folder"
  | "file.unusable"
  | "file.disk-full"
  | "file.unreachable"
  | "file.busy";

/** What a file may not be used for, or cannot: a code for people, a message for the model. */
export class FileError extends ToolError {
  readonly phrase: Phrase;

  constructor(said: Phrase, message: string) {
    super(message);
    this.phrase = said;
  }
}

type Row = [code: FileCode, sentence: (shown: string) => string];

const denied = "Use another path, or ask the user to change its permissions.";
/** Of a mount whose server or device is gone. */
const noAnswer: Row = [
  "file.unreachable",
  (shown) => `The drive that ${shown} lies on does not answer. Use another path, and tell the user.`,
];
const tooMany: Row = ["file.busy", (shown) => `Too many files are open to look at ${shown}. Try again.`];

const rows: Record<string, Row> = {
  ENOENT: ["file.missing", (shown) => `${shown} is not there any more. Look again before you go on.`],
  EACCES: ["file.denied", (shown) => `Permission denied: ${shown}. ${denied}`],
  EPERM: ["file.denied", (shown) => `Not permitted: ${shown}. ${denied}`],
  EISDIR: [
    "file.is-folder",
    (shown) => `${shown} is a folder, not a file. Use list_dir to see what is in it.`,
  ],
  ENOTDIR: [
    "file.unusable",
    (shown) => `A part of ${shown} is a file, not a folder. Use list_dir on its parent to find the path.`,
  ],
  ELOOP: ["file.unusable", (shown) => `${shown} leads through symbolic links in a circle. Use another path.`],
  ENAMETOOLONG: [
    "file.unusable",
    (shown) => `A name in ${shown.slice(0, 200)} is too long for the file system. Use a shorter one.`,
  ],
  ENOSPC: ["file.disk-full", (shown) => `The disk is full; ${shown} was not written. Tell the user.`],
  EDQUOT: [
    "file.disk-full",
    (shown) => `The disk quota is used up; ${shown} was not written. Tell the user.`,
  ],
  EROFS: ["file.denied", (shown) => `${shown} is on a read-only file system. Use another path.`],
  EINVAL: ["file.unusable", (shown) => `The file system does not take the name ${shown}. Use another one.`],
  EIO: [
    "file.unreachable",
    (shown) => `The disk answered with an error for ${shown}. Use another path, and tell the user.`,
  ],
  ESTALE: noAnswer,
  ENOTCONN: noAnswer,
  EHOSTDOWN: noAnswer,
  ETIMEDOUT: noAnswer,
  ENODEV: noAnswer,
  ENXIO: noAnswer,
  EMFILE: tooMany,
  ENFILE: tooMany,
  EBUSY: ["file.busy", (shown) => `${shown} is in use. Try again.`],
};

/** For failures of the world; anything else is given back to be thrown as it is. */
export function toFileError(error: unknown, shown: string): unknown {
  const row = rows[codeOf(error) ?? ""];
  if (row === undefined) return error;
  const [code, sentence] = row;
  return new FileError(phrase(code, { file: shown }), sentence(shown));
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** Names the sibling that was probably meant. `path` is resolved and inside the roots, `shown` is for the model. */
export async function toMissingError(path: string, shown: string): Promise<FileError> {
  const sibling = findSibling(basename(path), await listNames(dirname(path)));
  const hint =
    sibling === undefined ? "Use list_dir or glob to find it." : `Did you mean "${sibling}" there?`;
  return new FileError(phrase("file.missing", { file: shown }), `Not found: ${shown}. ${hint}`);
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
