// What a person is told of an error: what it says of itself, or what the system's code says of a path or disk.
import { isSystemError, systemCode } from "../lib/system-code.ts";
import { type Phrase, phrase } from "./phrase.ts";
import { PhrasedError } from "./user-error.ts";

/** Undefined for a fault of the program, and for errors of the system that nobody has named. */
export function phraseOfError(error: unknown): Phrase | undefined {
  return error instanceof PhrasedError ? error.phrase : undefined;
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
