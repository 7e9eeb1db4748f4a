// Whether an error says that a store cannot be used for now: full, read-only, not ours, an I/O error. Nothing is damaged
// then; the same work may succeed later.

import { systemCode } from "../../lib/process/system-code.ts";
import { DurabilityError } from "../durability.ts";
import { HomeGoneError } from "../served-homes.ts";
import { StoredFileError } from "./stored-file-error.ts";

/** Whatever was tried. */
const always = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE", "ESTALE", "ENOTCONN"]);
/** Only where our own files were meant: elsewhere it is an answer and no trouble. */
const ofOurFiles = new Set([...always, "EACCES", "EPERM", "EBUSY"]);
/** SQLite: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const databaseCodes = new Set([3, 5, 6, 7, 8, 10, 13, 14]);

/** Also when another error was made of it. */
export function isStorageTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof HomeGoneError || error instanceof DurabilityError) return true;
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode === "number" && databaseCodes.has(errcode & 0xff)) return true;
  const codes = error instanceof StoredFileError ? ofOurFiles : always;
  return codes.has(systemCode(error)) || isStorageTrouble(error.cause);
}
