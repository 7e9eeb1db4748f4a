// One scheduled job, and the forms in which the file may hold it: ours, the Python original's, or a person's. What
// cannot be parsed is reported, never discarded.
import { toSessionKey } from "../../bus/session-key.ts";
import { englishPhrases } from "../../i18n/en/phrases/index.ts";
import { isPhrase, type Phrase, phrase } from "../../i18n/phrase.ts";
import { phraseOfError, phraseOfSystemError } from "../../i18n/user-error.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { readLabels, withLabels } from "../../lib/labels.ts";
import { ownerScope, type Scope } from "../scope.ts";

export type Schedule =
  | { kind: "at"; atMs: number }
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expr: string; tz?: string };

/** What happens to a time that passed while nothing ran: one run for all of them, or none. */
export type Misfire = "once" | "skip";

export type RunStatus = "queued" | "ok" | "error" | "skipped";

export interface JobRun {
  runAtMs: number;
  status: RunStatus;
  durationMs?: number;
  /** Why it failed or was skipped. */
  reason?: Phrase;
  /** Of the turn that it started. */
  turnId?: string;
}

export interface Job {
  id: string;
  name: string;
  enabled: boolean;
  schedule: Schedule;
  message: string;
  /** "system": a task of the program itself, such as Dream; nobody may remove it. */
  kind: "turn" | "system";
  /** Of the turn that made it: what it does is judged as if it had read the same. */
  labels?: string[];
  misfire: Misfire;
  /** Where the job was made, and where its answers go. */
  sessionKey: string;
  channel: string;
  chatId: string;
  /** Of the origin; kept with the job as it was. */
  origin: JsonObject;
  nextRunAtMs?: number;
  runs: JobRun[];
  createdAtMs: number;
  deleteAfterRun: boolean;
  /** As it stood in the file, with keys that we do not know. */
  raw: JsonObject;
}

/** Whose it is. The program's own jobs, and those that do not say whose they are, are the owner's. */
export function scopeOfJob({ kind, origin: { group, role, person } }: Pick<Job, "kind" | "origin">): Scope {
  if (typeof group === "string" && group !== "") return `group:${group}`;
  const isOwners = kind === "system" || role === "owner" || typeof person !== "string" || person === "";
  return isOwners ? ownerScope : `person:${person}`;
}

/** It will never run again. One-time jobs that were missed, or never begun, are not over. */
export function isOver({ schedule, nextRunAtMs, runs }: Job): boolean {
  return nextRunAtMs === undefined && (schedule.kind !== "at" || runs.length > 0);
}

/** A run that is over already stays as it is. */
export function closeRun(
  run: JobRun | undefined,
  { reason, durationMs }: Pick<JobRun, "reason" | "durationMs">,
): void {
  if (run?.status !== "queued") return;
  run.status = reason === undefined ? "ok" : "error";
  if (durationMs !== undefined) run.durationMs = durationMs;
  if (reason !== undefined) run.reason = reason;
}

/** Of a run that threw. */
export function toReason(error: unknown): Phrase {
  const quote = error instanceof Error ? error.message : String(error);
  return phraseOfError(error) ?? phraseOfSystemError(error) ?? phrase("jobs.quoted", { quote });
}

/** As it is before its first run. */
export function toSystemJob(id: string, schedule: Schedule, now: number): Job {
  return {
    id,
    name: id,
    enabled: true,
    schedule,
    message: "",
    kind: "system",
    misfire: "skip",
    sessionKey: id,
    channel: "",
    chatId: "",
    origin: {},
    runs: [],
    createdAtMs: now,
    deleteAfterRun: false,
    raw: {},
  };
}

const mostRuns = 20;

/** A sentence instead of a job says what is wrong with it. */
export function parseJob(raw: JsonObject): Job | string {
  const payload = take(raw, "payload");
  const state = take(raw, "state");
  const id = readText(raw, "id");
  if (id === "") return "a job has no id";
  const schedule = parseSchedule(take(raw, "schedule"));
  if (typeof schedule === "string") return `job ${id}: ${schedule}`;
  const channel = readText(payload, "originChannel") || readText(payload, "channel");
  const chatId = readText(payload, "originChatId") || readText(payload, "to");
  const kind = payload.kind === "system_event" ? "system" : "turn";
  if (kind === "turn" && (channel === "" || chatId === "")) return `job ${id}: no chat is named for it`;
  const nextRunAtMs = readNumber(state, "nextRunAtMs");
  return {
    id,
    name: readText(raw, "name") || id,
    enabled: raw.enabled !== false,
    schedule,
    message: readText(payload, "message"),
    kind,
    ...withLabels(readLabels(payload.labels)),
    misfire: raw.misfire === "skip" ? "skip" : "once",
    sessionKey: readText(payload, "sessionKey") || toSessionKey({ channel, chatId }),
    channel,
    chatId,
    origin: take(payload, "originMetadata"),
    ...(nextRunAtMs && { nextRunAtMs }),
    runs: readRuns(read(state, "runHistory")),
    createdAtMs: readNumber(raw, "createdAtMs") ?? 0,
    deleteAfterRun: read(raw, "deleteAfterRun") === true,
    raw,
  };
}

/** In the Python original's form, with unknown keys as they were. */
export function formatJob(job: Job): JsonObject {
  const { schedule, raw } = job;
  const last = job.runs.findLast(({ status }) => status !== "queued") ?? job.runs.at(-1);
  const { next_run_at_ms: _, run_history: __, ...state } = take(raw, "state");
  return {
    ...raw,
    id: job.id,
    name: job.name,
    enabled: job.enabled,
    schedule: { atMs: null, everyMs: null, expr: null, tz: null, ...schedule },
    payload: {
      deliver: true,
      ...take(raw, "payload"),
      kind: job.kind === "system" ? "system_event" : "agent_turn",
      message: job.message,
      channel: job.channel,
      to: job.chatId,
      sessionKey: job.sessionKey,
      originChannel: job.channel,
      originChatId: job.chatId,
      originMetadata: job.origin,
      ...withLabels(job.labels ?? []),
    },
    state: {
      ...state,
      nextRunAtMs: job.nextRunAtMs ?? null,
      lastRunAtMs: last?.runAtMs ?? null,
      lastStatus: last?.status ?? null,
      lastError: last?.reason ? toErrorText(last.reason) : null,
      runHistory: job.runs.slice(-mostRuns).map(formatRun),
    },
    misfire: job.misfire,
    createdAtMs: job.createdAtMs,
    deleteAfterRun: job.deleteAfterRun,
  };
}

function parseSchedule(raw: JsonObject): Schedule | string {
  const atMs = readNumber(raw, "atMs");
  const everyMs = readNumber(raw, "everyMs");
  const expr = readText(raw, "expr");
  const tz = readText(raw, "tz");
  if (raw.kind === "at" && atMs !== undefined) return { kind: "at", atMs };
  if (raw.kind === "every" && everyMs !== undefined && everyMs > 0) return { kind: "every", everyMs };
  if (raw.kind === "cron" && expr !== "") return { kind: "cron", expr, ...(tz !== "" && { tz }) };
  return "its schedule names no time";
}

function readRuns(value: unknown): JobRun[] {
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  return rows.slice(-mostRuns).flatMap((row): JobRun[] => {
    const runAtMs = readNumber(row as JsonObject, "runAtMs");
    const durationMs = readNumber(row as JsonObject, "durationMs");
    const reason = readReason(row as JsonObject);
    const turnId = readText(row as JsonObject, "turnId");
    if (runAtMs === undefined) return [];
    const status = (["queued", "ok", "error", "skipped"] as const).find((name) => name === row.status);
    return [
      {
        runAtMs,
        status: status ?? "ok",
        ...(durationMs !== undefined && { durationMs }),
        ...(reason && { reason }),
        ...(turnId !== "" && { turnId }),
      },
    ];
  });
}

/** The Python original and 0.1.0 stored only a sentence. */
function readReason(row: JsonObject): Phrase | undefined {
  if (isPhrase(row.reason, englishPhrases)) return row.reason;
  const quote = readText(row, "error");
  return quote === "" ? undefined : phrase("jobs.quoted", { quote });
}

/** With the sentence that older readers expect. */
function formatRun({ reason, ...run }: JobRun): JsonObject {
  return { ...run, ...(reason && { error: toErrorText(reason), reason: reason as unknown as JsonObject }) };
}

function toErrorText(reason: Phrase): string {
  return reason.code === "jobs.quoted" ? reason.params.quote : sayInEnglish(reason);
}

/** By its name in camel case, or as older files spell it, in snake case. */
function read(raw: JsonObject, name: string): unknown {
  return raw[name] ?? raw[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function take(raw: JsonObject, name: string): JsonObject {
  const value = read(raw, name);
  return isRecord(value) ? (value as JsonObject) : {};
}

function readText(raw: JsonObject, name: string): string {
  const value = read(raw, name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function readNumber(raw: JsonObject, name: string): number | undefined {
  const value = read(raw, name);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
