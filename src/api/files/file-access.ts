// The caller's own files: where they are, and paths in them as real ones. A path leads nowhere else, whatever it says.
import { basename, extname, join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { FileError } from "../../guards/files/file-error.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { isInside } from "../../guards/files/real-path.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail, UserError } from "../../i18n/user-error.ts";
import { isThere } from "../../storage/files/file-trash.ts";
import type { Viewer } from "../operation.ts";

/** As which the caller reads and writes: the owner in private, or a guest. */
export function originOf({ person, role }: Viewer): Origin {
  return {
    channel: "web",
    chatId: person,
    senderId: person,
    person,
    role,
    cause: "user",
    format: "markdown",
  };
}

export class FileAccess {
  readonly #roots: FileRoots;
  readonly origin: Origin;

  constructor(roots: FileRoots, viewer: Viewer) {
    this.#roots = roots;
    this.origin = originOf(viewer);
  }

  get root(): string {
    return this.#roots.rootFor(this.origin);
  }

  /** Of a file or folder that is there. */
  read(path: string): Promise<string> {
    return this.#inside(path, () => this.#roots.resolveRead(toInner(path), this.origin));
  }

  write(path: string): Promise<string> {
    return this.#inside(path, () => this.#roots.resolveWrite(toInner(path), this.origin));
  }

  show(real: string): string {
    return this.#roots.display(real, this.origin);
  }

  /** A name in that folder that is free: `a (2).txt`. */
  async findFree(folder: string, name: string): Promise<string> {
    const end = extname(name);
    for (let count = 1; count < 1_000; count++) {
      const numbered = count === 1 ? name : `${basename(name, end)} (${count})${end}`;
      const real = await this.write(join(folder, numbered));
      if (!isThere(real)) return real;
    }
    throw fail("files.name-taken", { name });
  }

  async #inside(path: string, resolve: () => Promise<string>): Promise<string> {
    const real = await withUserErrors(resolve);
    if (real === this.root || isInside(real, this.root)) return real;
    throw new UserError(phrase("file.outside", { file: path }));
  }
}

/** "" and "/" are the folder itself. */
function toInner(path: string): string {
  return path.replace(/^[/\\]+/, "") || ".";
}

/** Refusals and failures of file access, as codes for people. */
export async function withUserErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new UserError(error.phrase);
    throw error;
  }
}
