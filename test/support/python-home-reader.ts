// A reader of a whole home as the Python original reads it, written from a description of its files alone and sharing nothing
// with ours. Throws for whatever the original would refuse or misunderstand.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type PythonSession, readPythonSession } from "./python-session-reader.ts";

export interface PythonJob {
  id: string;
  name: string;
  message: string;
  sessionKey: string;
  lastStatus: string | null;
}

export interface PythonHome {
  /** By key: what it lists, and nothing that is put aside under another name. */
  sessions: Map<string, PythonSession>;
  jobs: PythonJob[];
  /** Contents, oldest first. */
  history: string[];
  approved: Record<string, string[]>;
  /** Codes. */
  pending: string[];
}

type Fields = Record<string, unknown>;

const sections = "agents channels transcription providers api gateway tools modelPresets".split(" ");

export function readPythonHome(home: string): PythonHome {
  const workspace = join(home, "workspace");
  const config = readObject(join(home, "config.json"));
  const unknown = Object.keys(config).filter((name) => !sections.includes(name));
  if (unknown.length > 0) throw new Error(`unknown setting ${unknown.join()}`);
  return {
    sessions: readSessions(home, workspace),
    jobs: readJobs(join(workspace, "cron/jobs.json")),
    history: readHistory(join(workspace, "memory")),
    ...readPairing(join(home, "pairing.json")),
  };
}

function readSessions(home: string, workspace: string): Map<string, PythonSession> {
  const id = readFileSync(join(workspace, ".nanobot/workspace-id"), "utf8").trim();
  if (!/^[0-9a-f]{32}$/.test(id)) throw new Error(`workspace id ${id}`);
  const folder = join(home, "sessions", id);
  if (readFileSync(join(folder, ".workspace"), "utf8").trim() !== workspace)
    throw new Error("another workspace");
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl") && isKey(name.slice(0, -6)));
  const sessions = names.map((name) => readPythonSession(join(folder, name)));
  return new Map(sessions.map((session) => [session.key, session]));
}

/** A stem that is the same again when it is decoded and encoded. */
function isKey(stem: string): boolean {
  return Buffer.from(Buffer.from(stem, "base64url").toString("utf8")).toString("base64url") === stem;
}

function readJobs(path: string): PythonJob[] {
  const { version, jobs } = readObject(path);
  if (version !== 1 || !Array.isArray(jobs)) throw new Error("jobs.json");
  return jobs.map(
    ({ id, name, enabled, schedule, payload, state, ...times }: Record<string, Fields & string>) => {
      const isNamed = typeof id === "string" && typeof name === "string" && typeof enabled === "boolean";
      if (!isNamed || schedule === undefined || payload === undefined || state === undefined)
        throw new Error(`job ${id}`);
      checkSchedule(schedule);
      const isSystem = payload.kind === "system_event";
      if (!isSystem && payload.kind !== "agent_turn") throw new Error(`job ${id} is ${payload.kind}`);
      for (const field of isSystem ? [] : ["message", "sessionKey", "originChannel", "originChatId"])
        if (typeof payload[field] !== "string" || payload[field] === "")
          throw new Error(`job ${id} has no ${field}`);
      for (const time of [state.nextRunAtMs, state.lastRunAtMs, times.createdAtMs ?? 0])
        if (time !== null && !Number.isSafeInteger(time)) throw new Error(`job ${id}: time ${time}`);
      for (const run of state.runHistory as Fields[])
        if (!Number.isSafeInteger(run.runAtMs) || typeof run.status !== "string")
          throw new Error(`job ${id}: a run`);
      const [message, sessionKey] = [String(payload.message), String(payload.sessionKey)];
      return { id, name, message, sessionKey, lastStatus: state.lastStatus as string | null };
    },
  );
}

function checkSchedule({ kind, atMs, everyMs, expr }: Fields): void {
  const isTimed =
    (kind === "at" && Number.isSafeInteger(atMs)) ||
    (kind === "every" && Number(everyMs) > 0) ||
    (kind === "cron" && typeof expr === "string");
  if (!isTimed) throw new Error(`schedule ${kind}`);
}

/** Lines that are no entry are passed over; cursors only grow, and both cursor files name one that was given out. */
function readHistory(folder: string): string[] {
  const lines = readFileSync(join(folder, "history.jsonl"), "utf8").split("\n");
  const entries = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Fields]));
  const valid = entries.filter(({ cursor }) => Number.isSafeInteger(cursor) && Number(cursor) > 0);
  let last = 0;
  for (const { cursor, timestamp, content } of valid) {
    if (Number(cursor) <= last) throw new Error(`cursor ${cursor} after ${last}`);
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(String(timestamp))) throw new Error(`time ${timestamp}`);
    if (typeof content !== "string") throw new Error("content");
    last = Number(cursor);
  }
  for (const name of [".cursor", ".dream_cursor"]) {
    const path = join(folder, name);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "0";
    if (!/^\d+$/.test(text.trim()) || Number(text) > last) throw new Error(`${name} is ${text}`);
  }
  return valid.map(({ content }) => String(content));
}

function readPairing(path: string): Pick<PythonHome, "approved" | "pending"> {
  const { approved, pending } = readObject(path);
  for (const ids of Object.values(approved as Fields))
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) throw new Error("approved");
  for (const [code, asked] of Object.entries(pending as Record<string, Fields>)) {
    const isWhole = typeof asked.channel === "string" && typeof asked.sender_id === "string";
    const isTimed = typeof asked.created_at === "number" && typeof asked.expires_at === "number";
    if (!/^[A-Z0-9]{4}-[A-Z0-9]{4}$/.test(code) || !isWhole || !isTimed) throw new Error(`pairing ${code}`);
  }
  return { approved: approved as PythonHome["approved"], pending: Object.keys(pending as Fields) };
}

function readObject(path: string): Fields {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(path);
  return value as Fields;
}
