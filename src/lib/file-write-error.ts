// What the system says about a file that cannot be written, said so that a person knows what to do.
import { systemCode } from "./system-code.ts";

/** By the system's code; each goes on after a sentence that names the file. */
export const fileAdvice: Record<string, string> = {
  EACCES: "Check that it and its folder belong to you",
  EPERM: "Check that it and its folder belong to you",
  ENOSPC: "Free some space on the disk and try again",
  EDQUOT: "Free some space within your quota and try again",
  EROFS: "The disk is read-only: make it writable, or set NANOBOT_HOME to a folder that is",
  EISDIR: "A folder has the name of the file: move it away",
  ELOOP: "Its link leads nowhere: remove it",
  EMFILE: "Too many files are open: raise the limit (ulimit -n)",
};

export class FileWriteError extends Error {
  override readonly name = "FileWriteError";
  readonly code: string;
  readonly path: string;
  readonly syscall = "write";

  constructor(path: string, code: string, cause: Error) {
    super(`The file ${path} could not be written (${code}). ${fileAdvice[code]}.`, { cause });
    this.code = code;
    this.path = path;
  }
}

/** For `catch`: errors that a person can do something about get a sentence; every other one goes on as it is. */
export function failedWriting(path: string): (error: unknown) => never {
  return (error) => {
    const code = systemCode(error);
    if (!(error instanceof Error) || error instanceof FileWriteError || !(code in fileAdvice)) throw error;
    throw new FileWriteError(path, code, error);
  };
}
