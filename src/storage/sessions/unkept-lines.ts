// In place of a session's file where a conversation is not kept: its lines are read, and no disk ever sees them.
import type { JsonLine } from "./format/json-line.ts";
import type { SessionFile } from "./session-file.ts";

export type SessionLines = Pick<SessionFile, keyof SessionFile>;

export function createUnkeptLines(onWritten: (line: JsonLine) => void): SessionLines {
  const nothing = async () => {};
  return {
    path: "",
    bytes: 0,
    exists: false,
    exclusively: (work) => work(),
    refresh: nothing,
    async append(lines) {
      for (const line of lines) onWritten(line);
    },
    readAgain: nothing,
    sync: nothing,
    moveTo: nothing,
  };
}
