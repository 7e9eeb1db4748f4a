// Rows whose content a damaged disk has changed: they are marked and kept, and nobody else is handed one.
import type { StateDatabase } from "../database/state-database.ts";

/** Older ones that are over are read by nobody. */
const recent = 600;

const texts = (column: string, names: readonly string[]) =>
  names.map((name) => `json_type(${column}, '$.${name}') = 'text'`).join(" AND ");

/** CASE, because the functions fail on text that is no JSON. */
const isMessage = `CASE WHEN json_valid(message) THEN message ->> '$.id' = id AND ${texts("message", [
  "sessionKey",
  "text",
  "origin.channel",
  "origin.chatId",
  "origin.senderId",
  "origin.person",
])} AND message ->> '$.origin.role' IN ('owner', 'guest') ELSE 0 END`;

const isPart = `CASE WHEN json_valid(part) THEN part ->> '$.id' = id AND ${texts("part", [
  "channel",
  "chatId",
  "sessionKey",
  "turnId",
  "text",
])} AND json_type(part, '$.media') = 'array' ELSE 0 END`;

/** Returns how many there were. */
export async function markUnreadable(state: StateDatabase, now: number): Promise<number> {
  const mark = (table: string, condition: string, open: string) =>
    state.run(
      `UPDATE ${table} SET state = 'unreadable', finished_at = ? WHERE state <> 'unreadable' AND ${condition} IS NOT TRUE
         AND (state IN (${open}) OR seq > (SELECT max(seq) FROM ${table}) - ${recent})`,
      now,
    );
  return state.write(
    () => mark("inbox", isMessage, "'waiting'") + mark("outbox", isPart, "'waiting', 'sending', 'dead'"),
  );
}
