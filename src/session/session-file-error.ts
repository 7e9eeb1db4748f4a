// A file or folder of sessions that the system does not let us read or write, said so that a person knows what to do.

export class SessionFileError extends Error {
  override readonly name = "SessionFileError";
  readonly code: string;
  readonly path: string;

  constructor(message: string, { code, path, cause }: { code: string; path: string; cause?: unknown }) {
    super(message, { cause });
    this.code = code;
    this.path = path;
  }
}

const advice: Record<string, string> = {
  EACCES: "Check that it and its folder belong to you",
  EPERM: "Check that it and its folder belong to you",
  ENOSPC: "Free some space on the disk and try again",
  EDQUOT: "Free some space within your quota and try again",
  EROFS: "The disk is read-only: make it writable, or set NANOBOT_HOME to a folder that is",
  EISDIR: "A folder has the name of the file: move it away",
  ELOOP: "Its link leads nowhere: remove it",
  EMFILE: "Too many files are open: raise the limit (ulimit -n)",
};

const done = { read: "read", write: "written", move: "taken over" };

/** Errors of the system get a sentence; every other one comes back as it is. */
export function toSessionFileError(error: unknown, action: keyof typeof done, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (!(error instanceof Error) || typeof code !== "string" || error instanceof SessionFileError)
    return error;
  const next = advice[code] ?? "Check the disk, or move it away to begin anew";
  const message = `Sessions: ${path} cannot be ${done[action]} (${code}). ${next}. What is in it stays as it is.`;
  return new SessionFileError(message, { code, path, cause: error });
}
