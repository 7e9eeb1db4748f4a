// A file or folder of ours that the system does not let us read, write or move, as data: what to do about it is said by
// the catalogue.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { PhrasedError } from "../../i18n/user-error.ts";
import { systemCode } from "../../lib/process/system-code.ts";

export interface StoredFileFacts {
  /** Sessions are named in what people read. */
  content: "session" | "other";
  action: "read" | "write" | "move";
  path: string;
  /** The system's, such as ENOSPC. */
  code: string;
}

export class StoredFileError extends PhrasedError {
  override readonly name = "StoredFileError";
  override readonly phrase: Phrase;
  readonly facts: StoredFileFacts;
  readonly code: string;
  readonly path: string;

  constructor(facts: StoredFileFacts, cause?: unknown) {
    super(`cannot ${facts.action} ${facts.path} (${facts.code})`, { cause });
    const { content, action, path, code } = facts;
    this.facts = facts;
    this.code = code;
    this.path = path;
    this.phrase = phrase(`storage.${content === "session" ? "session" : "file"}-${action}`, {
      path,
      errno: code,
    });
  }
}

/** A file that is not what it has to be; the system itself reported nothing. */
export class FileFaultError extends PhrasedError {
  override readonly name = "FileFaultError";
  override readonly phrase: Phrase;
  readonly fault: "not-plain" | "changed-while-copied";
  readonly path: string;

  constructor(fault: FileFaultError["fault"], path: string) {
    super(`${path}: ${fault}`);
    this.fault = fault;
    this.path = path;
    this.phrase = phrase(`storage.${fault}`, { path });
  }
}

/** Those that a person can do something about. */
const remediable = ["EACCES", "EPERM", "ENOSPC", "EDQUOT", "EROFS", "EISDIR", "ELOOP", "EMFILE"];

/** For `catch`: errors that a person can do something about say which file was meant; every other one goes on as it is. */
export function failedWriting(path: string): (error: unknown) => never {
  return (error) => {
    const code = systemCode(error);
    if (error instanceof StoredFileError || !remediable.includes(code)) throw error;
    throw new StoredFileError({ content: "other", action: "write", path, code }, error);
  };
}

/** Errors of the system say which session was meant; every other one comes back as it is. */
export function toSessionFileError(error: unknown, action: StoredFileFacts["action"], path: string): unknown {
  const code = systemCode(error);
  if (!(error instanceof Error) || code === "" || error instanceof StoredFileError) return error;
  return new StoredFileError({ content: "session", action, path, code }, error);
}
