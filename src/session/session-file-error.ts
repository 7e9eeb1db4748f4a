// A file or folder of sessions that the system does not let us read or write, said so that a person knows what to do.
import { fileAdvice } from "../lib/file-write-error.ts";
import { systemCode } from "../lib/system-code.ts";

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

const done = { read: "read", write: "written", move: "taken over" };

/** Errors of the system get a sentence; every other one comes back as it is. */
export function toSessionFileError(error: unknown, action: keyof typeof done, path: string): unknown {
  const code = systemCode(error);
  if (!(error instanceof Error) || code === "" || error instanceof SessionFileError) return error;
  const next = fileAdvice[code] ?? "Check the disk, or move it away to begin anew";
  const message = `Sessions: ${path} cannot be ${done[action]} (${code}). ${next}. What is in it stays as it is.`;
  return new SessionFileError(message, { code, path, cause: error });
}
