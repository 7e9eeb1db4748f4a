// What OpenClaw keeps outside of its workspace: conversations, automations and keys of model hosts. Its databases hold
// them now; older versions had JSON files for each.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson } from "../../lib/json-tree.ts";
import type { Schedule } from "../jobs/job.ts";
import {
  type ForeignHost,
  type ForeignJob,
  type ForeignMessage,
  type ForeignSession,
  largestConfig,
  toMessages,
  toTime,
} from "./foreign-home.ts";
import { hasTable, listNames, parseLooseJson, readDatabase, readRecords, readText } from "./read-foreign.ts";

const largestEvent = 4 * 1024 * 1024;

export async function* readOpenClawSessions(
  folder: string,
  agents: readonly string[],
  unreadable: string[],
): AsyncGenerator<ForeignSession> {
  const seen = new Set<string>();
  for (const agent of agents) {
    const place = join(folder, "agents", agent);
    const database = join(place, "agent", "openclaw-agent.sqlite");
    const stored = readDatabase(database, unreadable, (copy) => listStored(copy, database));
    for await (const { key, ...session } of stored) {
      seen.add(session.id);
      if (isConversation(key)) yield session;
    }
    for await (const { key, ...session } of listFiles(join(place, "sessions")))
      if (!seen.has(session.id) && isConversation(key)) yield session;
  }
}

type KeyedSession = ForeignSession & { key: string };

/** Runs of jobs, hooks, subagents and heartbeats are no conversations of a person. */
function isConversation(key: string): boolean {
  return !/(^|:)(cron|hook|subagent|acp|heartbeat)(:|$)/.test(key);
}

async function* listStored(database: DatabaseSync, path: string): AsyncGenerator<KeyedSession> {
  if (!hasTable(database, "transcript_events") || !hasTable(database, "session_windows")) return;
  const windows = database.prepare("SELECT * FROM session_windows ORDER BY created_at").all();
  const events = database.prepare(
    "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq",
  );
  for (const window of windows) {
    const { session_id: id, session_key: key, display_name: name, chat_type: type } = window;
    if (typeof id !== "string" || typeof key !== "string") continue;
    const records = readEvents(events.iterate(id));
    yield {
      id,
      key,
      path,
      ...(typeof name === "string" && name !== "" && { title: name }),
      isGroup: isGroupKey(key) || type === "group" || type === "channel",
      messages: toMessages(mapRecords(records)),
    };
  }
}

function* readEvents(rows: Iterable<unknown>): Generator<JsonObject> {
  for (const row of rows) {
    if (!isRecord(row)) continue;
    const { event_json: text, event_zstd: packed } = row;
    const json =
      packed instanceof Uint8Array
        ? zstdDecompressSync(packed, { maxOutputLength: largestEvent }).toString("utf8")
        : text;
    const record = typeof json === "string" ? parseJson(json) : undefined;
    if (isRecord(record)) yield record;
  }
}

/** `<id>.jsonl`, and what it was before a reset. */
async function* listFiles(folder: string): AsyncGenerator<KeyedSession> {
  const index = await parseLooseJson(
    (await readText(join(folder, "sessions.json"), largestConfig * 8)) ?? "{}",
  );
  const keys = new Map<string, { key: string; title?: string }>();
  for (const [key, entry] of Object.entries(index ?? {})) {
    if (!isRecord(entry) || typeof entry.sessionId !== "string") continue;
    const title = [entry.label, entry.displayName, entry.subject].find((each) => typeof each === "string");
    keys.set(entry.sessionId, { key, ...(typeof title === "string" && { title }) });
  }
  for (const name of listNames(folder, "file")) {
    const [, id, reset = ""] = /^([\w-]+)\.jsonl(\.reset\.[\w.-]+)?$/.exec(name) ?? [];
    if (id === undefined) continue;
    const path = join(folder, name);
    const { key = "", ...titled } = keys.get(id.replace(/-topic-.*$/, "")) ?? {};
    const messages = toMessages(mapRecords(await readRecords(path)));
    yield { id: id + reset, key, path, ...titled, isGroup: isGroupKey(key), messages };
  }
}

function isGroupKey(key: string): boolean {
  return /:(group|channel|room):/.test(key);
}

function* mapRecords(records: Iterable<JsonObject>): Generator<ForeignMessage | undefined> {
  let last = 0;
  for (const record of records) {
    const { message } = record;
    const at = toTime(isRecord(message) ? message.timestamp : undefined) ?? toTime(record.timestamp) ?? last;
    last = at;
    if (record.type !== "message" || !isRecord(message)) continue;
    const { role } = message;
    if (role === "user" || role === "assistant") yield { role, text: toText(message.content), at };
  }
}

function toText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) =>
      isRecord(part) && part.type === "text" && typeof part.text === "string" ? [part.text] : [],
    )
    .join("\n");
}

/** From the database, and from `cron/jobs.json` of older versions. */
export async function readOpenClawJobs(folder: string, unreadable: string[]): Promise<ForeignJob[]> {
  const jobs = new Map<string, ForeignJob>();
  const stored = readDatabase(join(folder, "state", "openclaw.sqlite"), unreadable, listJobs);
  for await (const job of stored) jobs.set(job.id, job);
  const path = join(folder, "cron", "jobs.json");
  const text = await readText(path, largestConfig);
  const file = text === undefined ? {} : await parseLooseJson(text);
  if (file === undefined) unreadable.push(path);
  const rows = isRecord(file) && Array.isArray(file.jobs) ? file.jobs : [];
  for (const row of rows) {
    const job = isRecord(row) ? toJob(row) : undefined;
    if (job !== undefined && !jobs.has(job.id)) jobs.set(job.id, job);
  }
  return [...jobs.values()];
}

async function* listJobs(database: DatabaseSync): AsyncGenerator<ForeignJob> {
  if (!hasTable(database, "cron_jobs")) return;
  for (const { job_json: json } of database
    .prepare("SELECT job_json FROM cron_jobs ORDER BY sort_order")
    .all()) {
    const row = typeof json === "string" ? parseJson(json) : undefined;
    const job = isRecord(row) ? toJob(row) : undefined;
    if (job !== undefined) yield job;
  }
}

/** Jobs of the program itself, such as its heartbeat, are left out. */
function toJob(row: JsonObject): ForeignJob | undefined {
  const { id, name, enabled, schedule, payload, delivery } = row;
  if (typeof id !== "string" || !isRecord(payload)) return undefined;
  if (!["systemEvent", "agentTurn", "command", "script"].includes(String(payload.kind))) return undefined;
  const text = payload.kind === "systemEvent" ? payload.text : payload.message;
  const message = typeof text === "string" ? text : "";
  const planned = message === "" || !isRecord(schedule) ? undefined : toSchedule(schedule);
  const chat = toChat(isRecord(delivery) && delivery.mode !== "none" ? delivery : payload);
  return {
    id,
    name: typeof name === "string" ? name : message,
    message,
    ...(planned !== undefined && { schedule: planned }),
    isEnabled: enabled !== false,
    ...(chat !== undefined && { chat }),
  };
}

function toSchedule({ kind, at, atMs, everyMs, expr, tz }: JsonObject): Schedule | undefined {
  const time = toTime(atMs) ?? toTime(at);
  if (kind === "at" && time !== undefined) return { kind, atMs: time };
  if (kind === "every" && typeof everyMs === "number" && everyMs > 0) return { kind, everyMs };
  if (kind !== "cron" || typeof expr !== "string") return undefined;
  return { kind, expr, ...(typeof tz === "string" && tz !== "" && { tz }) };
}

/** `-100123:topic:7` is a topic of the chat `-100123`. */
function toChat({ channel, to }: JsonObject): ForeignJob["chat"] {
  if (typeof channel !== "string" || typeof to !== "string" || channel === "last") return undefined;
  const chatId = to.replace(/^(tg|telegram|feishu):/i, "").replace(/:topic:.*$/, "");
  return chatId === "" ? undefined : { channel, chatId };
}

/** Keys of model hosts: in the database of an agent, or in its `auth-profiles.json`. */
export async function readProfiles(folder: string, agents: readonly string[]): Promise<ForeignHost[]> {
  const hosts: ForeignHost[] = [];
  for (const agent of agents) {
    const place = join(folder, "agents", agent, "agent");
    const stores: unknown[] = [];
    // Whether it can be read, the conversations in it say.
    const stored = readDatabase(join(place, "openclaw-agent.sqlite"), [], async function* (database) {
      if (hasTable(database, "auth_profile_store"))
        yield* database.prepare("SELECT store_json FROM auth_profile_store").all();
    });
    for await (const { store_json: json } of stored)
      stores.push(typeof json === "string" ? parseJson(json) : undefined);
    const text = await readText(join(place, "auth-profiles.json"), largestConfig);
    if (text !== undefined) stores.push(parseJson(text));
    for (const store of stores) hosts.push(...toHosts(store));
  }
  return hosts;
}

function toHosts(store: unknown): ForeignHost[] {
  const profiles = isRecord(store) && isRecord(store.profiles) ? Object.values(store.profiles) : [];
  return profiles
    .filter(isRecord)
    .flatMap(({ type, provider, key }) =>
      type === "api_key" && typeof provider === "string" && typeof key === "string" && key !== ""
        ? [{ name: provider, apiKey: key }]
        : [],
    );
}
