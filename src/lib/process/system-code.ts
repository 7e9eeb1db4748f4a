// The system's code of an error, also for those that Node has no name for, such as an exceeded quota.
import { constants } from "node:os";

const names = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** "" if it is not an error of the system. */
export function systemCode(error: unknown): string {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (typeof code !== "string") return "";
  // Of asynchronous and of synchronous calls.
  const isNameless = code.startsWith("Unknown system error") || code === "UNKNOWN";
  const name = isNameless ? names.get(Math.abs(Number(errno))) : undefined;
  return name ?? code;
}

/** A full or read-only disk, missing permissions: the world's failure, not ours. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && /^E[A-Z0-9]+$/.test(systemCode(error));
}
