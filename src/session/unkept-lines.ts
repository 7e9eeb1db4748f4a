// In place of a session's file where a conversation is not kept: its lines are read, and no disk ever sees them.
import type { SessionFile } from "./session-file.ts";

export type SessionLines = Pick<SessionFile, keyof SessionFile>;

export function createUnkeptLines(onLine: (bytes: Buffer) => unknown): SessionLines {
  const nothing = async () => {};
  return {
    path: "",
    bytes: 0,
    exists: false,
    exclusively: (work) => work(),
    refresh: nothing,
    async append(lines) {
      for (const line of lines) onLine(line);
    },
    readAgain: nothing,
    sync: nothing,
    moveTo: nothing,
  };
}
