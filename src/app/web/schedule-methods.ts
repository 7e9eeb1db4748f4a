// What the page about the schedule asks: jobs and their runs as facts, planning and changing them, and the heartbeat.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { toSessionKey } from "../../bus/session-key.ts";
import type { Clock } from "../../lib/clock.ts";
import { ignoreMissing } from "../../lib/plain-file.ts";
import { toOneLine } from "../../lib/text.ts";
import type { HeartbeatConfig } from "../../schedule/config.ts";
import { heartbeatSchema } from "../../schedule/config.ts";
import type { CronService } from "../../schedule/cron-service.ts";
import { findActiveTasks, heartbeatKey } from "../../schedule/heartbeat.ts";
import { isOver, type Job } from "../../schedule/job.ts";
import type { Control } from "../../server/control.ts";
import { type MethodTable, WishError } from "../../server/methods.ts";
import type {
  HeartbeatCard,
  JobCard,
  JobChat,
  JobDraft,
  KnownChat,
  ScheduleMethods,
} from "../../server/protocol/schedule.ts";
import { plannedHere } from "../build-control.ts";
import { draftSchema, planDays, previewDraft, toSchedule } from "./schedule-draft.ts";

export interface ScheduleParts {
  control: Pick<Control, "addJob" | "editJob" | "runJob" | "enableJob" | "removeJob" | "listPairing">;
  cron: CronService;
  clock: Clock;
  timeZone: string;
  workspace: string;
  /** As they are now. */
  heartbeat(): HeartbeatConfig;
  /** Changes the config, and has it taken; a sentence says why it could not be. */
  saveConfig(patch: { gateway: { heartbeat: { target: string } } }): Promise<string | undefined>;
}

const id = z.string().min(1).max(200);
const text = z.string().max(10_000);
const chat = z.strictObject({ channel: id, chatId: id });
const draft = z.strictObject({
  name: text,
  message: text,
  schedule: draftSchema,
  misfire: z.enum(["once", "skip"]),
  chat,
});
const longestName = 80;
const mostRemoved = 50;

export function createScheduleMethods(parts: ScheduleParts): MethodTable<ScheduleMethods> {
  const { control, cron, clock, timeZone } = parts;
  const removed = new Map<string, Job>();
  const time = { now: () => clock.now(), timeZone };
  return {
    "schedule.list": {
      params: z.strictObject({}),
      async run() {
        const jobs = await cron.list();
        const all = await cron.list({ withFinished: true });
        const finished = all.filter((job) => !jobs.includes(job)).map(toCard);
        return { jobs: jobs.map(toCard), finished, chats: await listChats(jobs, control), timeZone };
      },
    },
    "schedule.preview": {
      params: z.strictObject({ schedule: draftSchema }),
      run: ({ schedule }) => previewDraft(schedule, time),
    },
    "schedule.calendar": {
      params: z.strictObject({ days: z.array(z.number().min(0).max(8.64e15)).min(2).max(64) }),
      run: async ({ days }) => ({ days: await planDays(await cron.list(), days, time) }),
    },
    "schedule.add": {
      params: draft,
      async run(wish, { requestId }) {
        // Asked again after a restart it makes no second one.
        const key = createHash("sha256").update(requestId).digest("hex").slice(0, 8);
        return toCard(await control.addJob({ ...(await toJob(wish, time)), id: key, origin: {} }));
      },
    },
    "schedule.edit": {
      params: draft.extend({ id }),
      async run({ id: jobId, ...wish }) {
        const { channel, chatId, sessionKey, ...edit } = await toJob(wish, time);
        const job = (await cron.list()).find((each) => each.id === jobId);
        const isMoved = job?.channel !== channel || job.chatId !== chatId;
        const place = isMoved ? { channel, chatId, sessionKey } : {};
        return toCard(await control.editJob({ id: jobId, ...edit, ...place }));
      },
    },
    "schedule.run": {
      params: z.strictObject({ id }),
      run: async (wish) => ({ runAt: (await control.runJob(wish)).runAtMs }),
    },
    "schedule.pause": {
      params: z.strictObject({ id, isPaused: z.boolean() }),
      run: async ({ id: jobId, isPaused }) =>
        toCard(await control.enableJob({ id: jobId, enabled: !isPaused })),
    },
    "schedule.remove": {
      params: z.strictObject({ id }),
      async run(wish) {
        const job = await control.removeJob(wish);
        removed.set(job.id, job);
        const [oldest] = removed.keys();
        if (removed.size > mostRemoved && oldest !== undefined) removed.delete(oldest);
        return { undo: job.id };
      },
    },
    "schedule.restore": {
      params: z.strictObject({ undo: id }),
      async run({ undo }) {
        const job = removed.get(undo);
        if (job === undefined) throw new WishError("It is too late to undo that.");
        const restored = await cron.restore(job);
        removed.delete(undo);
        return toCard(restored);
      },
    },
    ...createHeartbeatMethods(parts),
  };
}

type HeartbeatMethods = Pick<ScheduleMethods, "heartbeat.read" | "heartbeat.aim">;

function createHeartbeatMethods(parts: ScheduleParts): MethodTable<HeartbeatMethods> {
  const { cron, workspace, heartbeat, saveConfig } = parts;

  async function read(): Promise<HeartbeatCard> {
    const { enabled: isEnabled, intervalS, target } = heartbeat();
    const content = await readFile(join(workspace, "HEARTBEAT.md"), "utf8").catch(ignoreMissing);
    const job = (await cron.list()).find((each) => each.id === heartbeatKey && each.kind === "system");
    const last = job?.runs.at(-1)?.runAtMs;
    const next = isEnabled ? job?.nextRunAtMs : undefined;
    return {
      isEnabled,
      everyMs: intervalS * 1000,
      target,
      tasks: findActiveTasks(content ?? ""),
      ...(last !== undefined && { lastLookAt: last }),
      ...(next !== undefined && { nextLookAt: next }),
    };
  }

  return {
    "heartbeat.read": { params: z.strictObject({}), run: read },
    "heartbeat.aim": {
      params: z.strictObject({ target: heartbeatSchema.shape.target.unwrap() }),
      async run({ target }) {
        const problem = await saveConfig({ gateway: { heartbeat: { target } } });
        if (problem !== undefined) throw new WishError(problem, [{ path: "target", message: problem }]);
        return read();
      },
    },
  };
}

async function toJob({ name, message, schedule, misfire, chat: place }: JobDraft, time: Time) {
  if (message.trim() === "") {
    const needed = "Say what is to be done then.";
    throw new WishError(needed, [{ path: "message", message: needed }]);
  }
  return {
    name: toOneLine(name.trim() || message, longestName),
    message,
    schedule: await toSchedule(schedule, time),
    misfire,
    sessionKey: toSessionKey(place),
    ...place,
  };
}

type Time = Parameters<typeof toSchedule>[1];

function toCard(job: Job): JobCard {
  const { id: jobId, name, message, schedule, misfire, channel, chatId, createdAtMs, nextRunAtMs } = job;
  return {
    id: jobId,
    name,
    message,
    schedule,
    misfire,
    channel,
    chatId,
    createdAt: createdAtMs,
    state: isOver(job) ? "over" : job.enabled ? "planned" : "paused",
    isOwn: job.kind === "system",
    ...(nextRunAtMs !== undefined && { nextRunAt: nextRunAtMs }),
    runs: job.runs.map(({ turnId: _, ...run }) => run),
  };
}

/** Where an answer can go: a conversation of its own, the people who were admitted, and wherever a job is at home already. */
async function listChats(
  jobs: readonly Job[],
  { listPairing }: ScheduleParts["control"],
): Promise<KnownChat[]> {
  const { paired } = await listPairing({});
  const people = paired.map(({ channel, senderId, name, person }) => ({
    channel,
    chatId: senderId,
    name: name ?? person,
  }));
  const places = jobs.filter(({ kind }) => kind === "turn");
  const byPlace = new Map<string, KnownChat>();
  for (const { channel, chatId, ...named } of [plannedHere, ...people, ...places.map(toChat)]) {
    const key = toSessionKey({ channel, chatId });
    if (!byPlace.has(key)) byPlace.set(key, { channel, chatId, ...named });
  }
  return [...byPlace.values()];
}

function toChat({ channel, chatId }: JobChat): JobChat {
  return { channel, chatId };
}
