// A reader of session files as the Python original lays them down, written from a description of that format alone
// and sharing nothing with ours. Throws for whatever it would not understand.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

export interface PythonSession {
  key: string;
  metadata: Record<string, unknown>;
  lastConsolidated: number;
  messages: Array<Record<string, unknown>>;
}

const naiveTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/;
const metadataKeys = ["_type", "created_at", "key", "last_consolidated", "metadata", "updated_at"];

export function readPythonSession(path: string): PythonSession {
  const lines = readFileSync(path, "utf8").split("\n");
  if (lines.pop() !== "") throw new Error("the last line has no newline");
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  if (records[0]?._type !== "metadata") throw new Error("the first line is not metadata");
  const session: PythonSession = { key: "", metadata: {}, lastConsolidated: 0, messages: [] };
  for (const record of records) {
    if (record._type === "metadata") readMetadata(session, record);
    else if (record._type !== "provider_state") session.messages.push(checkMessage(record));
  }
  if (session.lastConsolidated > session.messages.length)
    throw new Error("last_consolidated is out of range");
  checkName(path, session.key);
  return session;
}

function readMetadata(session: PythonSession, record: Record<string, unknown>): void {
  const keys = Object.keys(record).sort();
  if (keys.join() !== metadataKeys.join()) throw new Error(`metadata with ${keys.join()}`);
  for (const field of ["created_at", "updated_at"]) checkTime(record[field]);
  if (typeof record.key !== "string") throw new Error("no key");
  if (typeof record.metadata !== "object" || record.metadata === null)
    throw new Error("metadata is no object");
  if (!Number.isInteger(record.last_consolidated)) throw new Error("last_consolidated is no integer");
  session.key = record.key;
  session.metadata = record.metadata as Record<string, unknown>;
  session.lastConsolidated = record.last_consolidated as number;
}

function checkMessage(record: Record<string, unknown>): Record<string, unknown> {
  const { role, content, timestamp, tool_calls: calls } = record;
  if (!["user", "assistant", "tool", "system"].includes(String(role)))
    throw new Error(`role ${String(role)}`);
  const isText = typeof content === "string" || Array.isArray(content);
  if (!isText && !(content === null && role === "assistant")) throw new Error("content");
  checkTime(timestamp);
  if (role === "tool" && typeof record.tool_call_id !== "string") throw new Error("a result without a call");
  if (calls !== undefined) checkCalls(calls);
  return record;
}

function checkCalls(calls: unknown): void {
  if (!Array.isArray(calls)) throw new Error("tool_calls is no list");
  for (const { id, type, function: called } of calls) {
    const isCall = typeof id === "string" && type === "function" && typeof called.name === "string";
    if (!isCall || typeof called.arguments !== "string") throw new Error("a malformed call");
  }
}

function checkTime(value: unknown): void {
  if (typeof value !== "string" || !naiveTime.test(value)) throw new Error(`time ${String(value)}`);
}

function checkName(path: string, key: string): void {
  const expected = `${btoa(String.fromCharCode(...new TextEncoder().encode(key)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")}.jsonl`;
  // A conversation that was closed has the time of that in its name.
  const name = basename(path).replace(/\.\d{8}T\d{9}(-\d+)?(?=\.jsonl$)/, "");
  if (name !== expected) throw new Error(`${basename(path)} should be ${expected}`);
}
