// Takes the marks setuid and setgid from a file that a command left: it would give the rights of the person behind the
// assistant to everyone who runs it.
import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";

const setIds = 0o6000;
/** Opens also what may not be read; of Linux. */
const openPath = 0o10000000;

/** If it changed in any way since then; others keep their modes. */
export function clearSetIds(path: string, since: number): void {
  if (((lookAt(path)?.mode ?? 0) & setIds) !== 0) clear(path, since);
}

/** Changes the opened file, whatever has its name by now. */
function clear(path: string, since: number): void {
  const isLinux = process.platform === "linux";
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_NOFOLLOW | (isLinux ? openPath : constants.O_NONBLOCK));
    const { mode, ctimeMs } = fstatSync(file);
    if (ctimeMs < since || (mode & setIds) === 0) return;
    if (isLinux) chmodSync(`/proc/self/fd/${file}`, mode & 0o777);
    else fchmodSync(file, mode & 0o777);
  } catch (error) {
    // Gone meanwhile, or not ours to change.
    if (codeOf(error) === undefined) throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
