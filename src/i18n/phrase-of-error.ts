// The one place that knows what to say of errors that carry facts instead of a sentence.
import { HomeLockedError, HomeNotWritableError, LockFileError } from "../lib/home-lock.ts";
import { HomeGoneError } from "../lib/home-presence.ts";
import { ProxyRefusalError } from "../lib/proxy-refusal.ts";
import { StateDatabaseError } from "../lib/state-database.ts";
import { StateFileError } from "../lib/state-file.ts";
import { NewerStateError } from "../lib/state-schema.ts";
import { FileFaultError, StoredFileError } from "../lib/stored-file-error.ts";
import { isSystemError, systemCode } from "../lib/system-code.ts";
import { type Phrase, phrase } from "./phrase.ts";
import { UserError } from "./user-error.ts";

/** Undefined for a fault of the program, and for errors of the system that nobody has named. */
export function phraseOfError(error: unknown): Phrase | undefined {
  if (error instanceof UserError || error instanceof StateFileError) return error.phrase;
  if (error instanceof HomeLockedError) return phraseOfLock(error);
  if (error instanceof StoredFileError) return phraseOfFile(error);
  if (error instanceof FileFaultError) return phrase(`storage.${error.fault}`, { path: error.path });
  if (error instanceof ProxyRefusalError)
    return phrase(error.status === 407 ? "setup.proxy-password" : "setup.proxy-refused", {
      status: error.status,
    });
  if (error instanceof HomeGoneError) return phrase("home.gone", { home: error.home });
  if (error instanceof HomeNotWritableError)
    return phrase("storage.home-unwritable", { home: error.home, errno: error.code });
  if (error instanceof LockFileError)
    return phrase("storage.lock-unusable", { path: error.path, reason: error.reason });
  if (error instanceof StateDatabaseError)
    return phrase("storage.database-unusable", { path: error.path, reason: error.reason });
  if (error instanceof NewerStateError)
    return phrase("storage.newer", { path: error.path, version: error.version });
  return undefined;
}

function phraseOfLock({ home, holder }: HomeLockedError): Phrase {
  return holder === undefined
    ? phrase("storage.locked", { home })
    : phrase("storage.locked-by", { home, ...holder });
}

function phraseOfFile({ facts: { content, action, path, code: errno } }: StoredFileError): Phrase {
  return phrase(`storage.${content === "session" ? "session" : "file"}-${action}`, { path, errno });
}

/** EACCES, EROFS, ENOTDIR and the like, about a path. */
export function phraseOfSystemError(error: unknown): Phrase | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code) || typeof path !== "string") return undefined;
  return code === "ENOENT"
    ? phrase("storage.missing", { path })
    : phrase("storage.unusable", { path, errno: code });
}

/** Every error of the system, where only a disk can be meant. */
export function phraseOfDisk(error: unknown): Phrase | undefined {
  if (!isSystemError(error)) return undefined;
  return (
    phraseOfError(error) ?? phraseOfSystemError(error) ?? phrase("storage.disk", { errno: systemCode(error) })
  );
}
