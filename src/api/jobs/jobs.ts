// Operations about jobs: what is planned, planning it, and changing it. In a chat everyone sees and changes what is
// theirs; for other chats only the owner plans.
import { createHash } from "node:crypto";
import * as z from "zod";
import { toSessionKey } from "../../bus/session-key.ts";
import type { Origin } from "../../bus/types.ts";
import { fail, failAt } from "../../i18n/user-error.ts";
import { readLabels, withLabels } from "../../lib/labels.ts";
import { toOneLine } from "../../lib/text.ts";
import { isForEyesOf, keepOrigin } from "../../schedule/scheduled-message.ts";
import { UndoLog } from "../../storage/changes/undo-log.ts";
import type { JobChange } from "../../storage/changes/undo-record.ts";
import { isOver, type Job, type JobRun, parseJob, scopeOfJob } from "../../storage/jobs/job.ts";
import { scopeOf } from "../../storage/scope.ts";
import { type Caller, operation } from "../operation.ts";
import type { HomeServices } from "../services.ts";
import { draftSchema, planDays, previewDraft, readSentence, toSchedule } from "./schedule-draft.ts";
import { heartbeatOperations } from "./system-tasks.ts";

export interface JobChat {
  channel: string;
  chatId: string;
}

export interface KnownChat extends JobChat {
  /** Of the person there. */
  name?: string;
}

export type JobRecord = Omit<Job, "raw"> & { state: "planned" | "paused" | "over" };

/** The owner's conversation in the browser that receives answers of jobs planned there. */
const browserChat: JobChat = { channel: "web", chatId: "schedule" };
const longestName = 80;
const mostRemoved = 50;

const id = z.string().min(1).max(200);
const text = z.string().max(10_000);
const draft = z.strictObject({
  name: text.optional(),
  message: text,
  schedule: draftSchema,
  misfire: z.enum(["once", "skip"]).optional(),
  /** Sources of what it was planned from: its turns carry them. */
  labels: z.array(z.string().max(100)).max(24).optional(),
  /** Absent: the chat that it is asked in. */
  chat: z.strictObject({ channel: id, chatId: id, sessionKey: id.optional() }).optional(),
});

const listJobs = operation({
  name: "jobs.list",
  about:
    "The jobs that the caller may see, each with its latest runs; one-time jobs that are over on request.",
  access: "person",
  needs: "home",
  params: z.strictObject({ withFinished: z.boolean().optional() }),
  async run(services, params, caller): Promise<{ jobs: JobRecord[]; timeZone: string }> {
    const jobs = await listFor(services, caller, params);
    return { jobs: jobs.map(toRecord), timeZone: services.timeZone };
  },
});

const listChats = operation({
  name: "jobs.chats",
  about: "The chats that a job can report to.",
  access: "owner",
  needs: "home",
  params: z.strictObject({}),
  async run({ cron, pairing }): Promise<{ chats: KnownChat[] }> {
    const paired = await pairing.list();
    const people = paired.map(({ channel, senderId, name, person }) => ({
      channel,
      chatId: senderId,
      name: name ?? person,
    }));
    const jobs = (await cron.listAll()).filter(({ kind }) => kind === "turn");
    const chats = new Map<string, KnownChat>();
    for (const { channel, chatId, ...named } of [browserChat, ...people, ...jobs.map(toChat)]) {
      const key = JSON.stringify([channel, chatId]);
      if (!chats.has(key)) chats.set(key, { channel, chatId, ...named });
    }
    return { chats: [...chats.values()] };
  },
});

const addJob = operation({
  name: "jobs.add",
  about: "Plans a reminder or task.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: draft,
  async run(services, params, caller): Promise<JobRecord> {
    const job = await services.cron.add({
      ...(await toJob(services, params, caller)),
      id: toJobId(caller),
    });
    return toRecord(job);
  },
});

const editJob = operation({
  name: "jobs.edit",
  about: "Changes a job. Moved to another chat it gets the rights of the person who speaks there.",
  access: "owner",
  needs: "home",
  changes: ["jobs"],
  params: draft.partial().extend({ id }),
  async run(services, { id: jobId, chat, schedule, name, message, misfire }, caller): Promise<JobRecord> {
    const job = await findJob(services, jobId, caller);
    if (message?.trim() === "") throw failAt("message", "jobs.needs-message");
    const isMoved = chat !== undefined && (job.channel !== chat.channel || job.chatId !== chat.chatId);
    const edited = await services.cron.edit(jobId, scopeOfJob(job), {
      ...(name !== undefined && { name: toName(name, message ?? job.message) }),
      ...(message !== undefined && { message }),
      ...(misfire && { misfire }),
      ...(schedule && { schedule: await toSchedule(schedule, toTime(services)) }),
      ...(isMoved && (await findChat(services, chat, caller))),
    });
    return toRecord(edited);
  },
});

const runJob = operation({
  name: "jobs.run",
  about: "Runs a job once now, in addition to its schedule.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({ id }),
  async run(services, params, caller): Promise<{ job: JobRecord; run: JobRun }> {
    const job = await findJob(services, params.id, caller);
    return { job: toRecord(job), run: await services.cron.runNow(params.id, scopeOfJob(job)) };
  },
});

const enableJob = operation({
  name: "jobs.enable",
  about: "Pauses a job, or lets it go on.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({ id, enabled: z.boolean() }),
  async run(services, params, caller): Promise<JobRecord> {
    const scope = scopeOfJob(await findJob(services, params.id, caller));
    return toRecord(await services.cron.setEnabled(params.id, scope, params.enabled));
  },
});

const removeJob = operation({
  name: "jobs.remove",
  about: "Removes a job; `jobs.restore` brings it back for a while.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({ id }),
  async run(services, params, caller): Promise<JobRecord> {
    const { cron, removedJobs } = services;
    const scope = scopeOfJob(await findJob(services, params.id, caller));
    const job = await cron.remove(params.id, scope);
    removedJobs.set(job.id, job);
    const [oldest] = removedJobs.keys();
    if (removedJobs.size > mostRemoved && oldest !== undefined) removedJobs.delete(oldest);
    return toRecord(job);
  },
});

const restoreJob = operation({
  name: "jobs.restore",
  about: "Brings back a job that was removed a moment ago.",
  access: "owner",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({ id }),
  async run({ cron, removedJobs }, params): Promise<JobRecord> {
    const job = removedJobs.get(params.id);
    if (job === undefined) throw fail("request.too-late");
    const restored = await cron.restore(job);
    removedJobs.delete(params.id);
    return toRecord(restored);
  },
});

const undoJobs = operation({
  name: "jobs.undo",
  about: "Takes back what a turn of a conversation planned or removed: the names of these jobs.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({ sessionKey: z.string().min(1).max(1_000).optional(), turnId: id }),
  async run(services, { turnId, ...params }, caller): Promise<{ names: string[] }> {
    const { sessionKey = caller.chat?.sessionKey ?? "" } = params;
    const { paths, clock, log, cron, removedJobs } = services;
    const restore = async ({ id: jobId, before }: JobChange): Promise<boolean> => {
      const known = (await listFor(services, caller, {})).find((job) => job.id === jobId);
      if (before === null) {
        if (known !== undefined) await cron.remove(jobId, scopeOfJob(known));
        return known !== undefined;
      }
      const removed = removedJobs.get(jobId) ?? parseJob(before);
      if (known !== undefined || typeof removed === "string") return false;
      await cron.restore(removed);
      return true;
    };
    const undo = new UndoLog({ folder: paths.undo, clock, log });
    const restored = await undo.undoJobs({ scope: scopeOf(caller), sessionKey, turnId }, restore);
    return { names: (restored ?? []).map(({ before, after }) => String((after ?? before)?.name)) };
  },
});

const previewJob = operation({
  name: "jobs.preview",
  about: "The next times of a schedule that is not saved yet, or what is wrong with it.",
  access: "owner",
  needs: "home",
  params: z.strictObject({ schedule: draftSchema }),
  run: (services, { schedule }) => previewDraft(schedule, toTime(services)),
});

const readWords = operation({
  name: "jobs.read",
  about:
    "A reminder or task in one sentence, English or Chinese, as what `jobs.add` takes. Without a draft it was not understood.",
  access: "owner",
  needs: "home",
  params: z.strictObject({ text: z.string().max(2_000) }),
  run: async (services, params) => ({ draft: await readSentence(params.text, toTime(services)) }),
});

const calendar = operation({
  name: "jobs.calendar",
  about:
    "What runs on each day; `days` are the beginnings of days that follow one another, and the end of the last.",
  access: "owner",
  needs: "home",
  params: z.strictObject({ days: z.array(z.number().min(0).max(8.64e15)).min(2).max(64) }),
  run: async (services, { days }) => ({
    days: await planDays(await services.cron.listAll(), days, toTime(services)),
  }),
});

const settleReminder = operation({
  name: "jobs.settle",
  about:
    "What the caller does about a reminder that was due, named by its conversation and message: done, or again at `until`.",
  access: "person",
  needs: "gateway",
  changes: ["jobs"],
  params: z.strictObject({
    sessionKey: z.string().min(1).max(1_000),
    turnId: id,
    until: z.int().min(0).max(8.64e15).optional(),
  }),
  async run(services, { sessionKey, turnId, until }, caller): Promise<Record<string, never>> {
    const { chat, cron, clock } = services;
    await chat.access.openForWriting(sessionKey, caller);
    const settled = { type: "task", turnId, at: clock.now() } as const;
    if (until === undefined) await chat.live.settleTask(sessionKey, { ...settled, state: "done" });
    else {
      const { name, message, channel, chatId, origin } = await findRun(
        services,
        { sessionKey, turnId },
        caller,
      );
      await cron.add({
        name,
        message,
        channel,
        chatId,
        sessionKey,
        origin,
        schedule: { kind: "at", atMs: until },
        id: toJobId(caller),
      });
      await chat.live.settleTask(sessionKey, { ...settled, state: "snoozed", until });
    }
    return {};
  },
});

export const jobOperations = [
  listJobs,
  listChats,
  addJob,
  editJob,
  runJob,
  enableJob,
  removeJob,
  restoreJob,
  undoJobs,
  previewJob,
  readWords,
  calendar,
  settleReminder,
  ...heartbeatOperations,
] as const;

function toTime({ clock, timeZone }: HomeServices) {
  return { now: () => clock.now(), timeZone };
}

async function toJob(services: HomeServices, params: z.output<typeof draft>, caller: Caller) {
  const { name, message, schedule, misfire, labels = [] } = params;
  if (message.trim() === "") throw failAt("message", "jobs.needs-message");
  return {
    name: toName(name, message),
    message,
    schedule: await toSchedule(schedule, toTime(services)),
    ...(misfire && { misfire }),
    ...withLabels(readLabels(labels)),
    ...(await findChat(services, params.chat, caller)),
  };
}

function toName(name: string | undefined, message: string): string {
  return toOneLine(name?.trim() || message, longestName);
}

/** The chat that a job belongs to, with the rights of the person who speaks there. */
export async function findChat(
  services: HomeServices,
  chat: z.output<typeof draft>["chat"],
  { role, chat: here }: Caller,
): Promise<JobChat & { sessionKey: string; origin: Job["origin"] }> {
  if (chat === undefined && here !== undefined) {
    const { channel, chatId, cause } = here.origin;
    const sessionKey = cause === "user" ? here.sessionKey : toSessionKey({ channel, chatId });
    return { channel, chatId, sessionKey, origin: keepOrigin(here.origin) };
  }
  if (role !== "owner") throw failAt("chat", "jobs.other-chat");
  if (chat === undefined) throw failAt("chat", "jobs.needs-chat");
  const { channel, chatId, sessionKey = toSessionKey({ channel, chatId }) } = chat;
  return { channel, chatId, sessionKey, origin: await findOrigin(services, chat) };
}

/** Rights of a message that nobody wrote: those of the person who wrote in the chat last or was admitted. */
export async function findOrigin(
  { bus, pairing }: HomeServices,
  { channel, chatId }: JobChat,
): Promise<Job["origin"]> {
  if (channel === browserChat.channel && chatId === browserChat.chatId)
    return { person: "owner", role: "owner", format: "markdown" };
  const isThere = (origin: Origin) =>
    origin.channel === channel && origin.chatId === chatId && origin.cause === "user";
  const last = bus.findLastOrigin(isThere);
  if (last !== undefined) return keepOrigin(last);
  const paired = await pairing.find(channel, chatId);
  return paired === undefined ? {} : { person: paired.person, role: paired.role };
}

/** In private the owner sees everything. In a group everyone else sees only what is theirs there. */
async function listFor(
  { cron }: HomeServices,
  caller: Caller,
  options: { withFinished?: boolean },
): Promise<Job[]> {
  if (caller.role === "owner" && caller.group === undefined) return cron.listAll(options);
  return (await cron.list(scopeOf(caller), options)).filter((job) => isForEyesOf(job, caller));
}

/** Nobody learns of a job that is not theirs. */
async function findJob(services: HomeServices, jobId: string, caller: Caller): Promise<Job> {
  const jobs = await listFor(services, caller, { withFinished: true });
  const job = jobs.find((each) => each.id === jobId);
  if (job === undefined) throw fail("jobs.not-found", { id: toOneLine(jobId, 40) });
  return job;
}

/** The job whose run was said in that turn. */
async function findRun(
  services: HomeServices,
  { sessionKey, turnId }: { sessionKey: string; turnId: string },
  caller: Caller,
): Promise<Job> {
  const jobs = await listFor(services, caller, { withFinished: true });
  const job = jobs.find(
    (each) => each.sessionKey === sessionKey && each.runs.some((run) => run.turnId === turnId),
  );
  if (job === undefined) throw fail("request.too-late");
  return job;
}

/** Asked again after a restart it makes no second one. */
function toJobId({ requestId }: Caller): string {
  return createHash("sha256").update(requestId).digest("hex").slice(0, 8);
}

function toRecord({ raw: _, ...job }: Job): JobRecord {
  return { ...job, state: isOver({ ...job, raw: {} }) ? "over" : job.enabled ? "planned" : "paused" };
}

function toChat({ channel, chatId }: JobChat): JobChat {
  return { channel, chatId };
}
