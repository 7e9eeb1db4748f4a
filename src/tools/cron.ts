// The tool cron: reminders and tasks for later, for the chat in which they are made or, where the speaker may, for
// another one. Knows no scheduler: it is handed the jobs.
import * as z from "zod";
import type { ChatAddress } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";
import { toOneLine } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";
import { formatInstant, isTimeZone, readInstant } from "../schedule/next-run.ts";
import { isOwnJob } from "../schedule/scheduled-message.ts";
import type { Job, Schedule } from "../storage/jobs/job.ts";

/** The jobs of the chat of a turn. What cannot be done is thrown as a ToolError. */
export interface CronJobs {
  list(): Promise<ListedJob[]>;
  /** Without a chat: for the chat of the turn. */
  add(job: {
    name?: string;
    message: string;
    schedule: ScheduleDraft;
    chat?: Pick<ChatAddress, "channel" | "chatId">;
  }): Promise<ListedJob>;
  remove(id: string): Promise<ListedJob>;
  /** What there is to know about when jobs run; absent: they simply do. */
  note?: string;
}

export type ListedJob = Omit<Job, "raw">;

type ScheduleDraft =
  | { kind: "at"; at: string; tz?: string }
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expr: string; tz?: string };

export interface CronToolOptions {
  open(context: ToolContext): Promise<CronJobs>;
  /** Whether there is a channel for this chat, though it may not run now. */
  canReach(chat: Pick<ChatAddress, "channel" | "chatId">): boolean;
  /** Of times that name no zone. */
  timeZone: string;
}

/** A model that is talked into waking itself up must not do so all the time. */
const shortestSeconds = 60;
const longestMessage = 10_000;
const longestName = 80;
const mostListed = 50;

const parameters = z.object({
  action: z.enum(["add", "list", "remove"]).describe("add: one schedule"),
  message: z.string().max(longestMessage).optional().describe("Then to do"),
  name: z.string().optional(),
  at: z.string().optional().describe("ISO time"),
  every_seconds: z.int().min(shortestSeconds).optional(),
  cron_expr: z.string().optional(),
  tz: z.string().optional(),
  channel: z.string().optional().describe("Default: this chat"),
  to: z.string().optional().describe("Chat or user id there"),
  job_id: z.string().optional(),
});

type Args = z.output<typeof parameters>;

export function createCron(options: CronToolOptions): Tool<Args> {
  return defineTool({
    name: "cron",
    description: "Reminders and later tasks.",
    parameters,
    repeat: "by-call-id",
    boundsItself: true,
    effects({ action, name, message = "", job_id: id = "", channel, to: chatId }) {
      if (action === "list") return [];
      // The whole id is a text that this tool has shown: as such it would be asked about, and nothing of it lasts.
      if (action === "remove") return [{ type: "schedule", what: `remove ${id.slice(0, 7)}` }];
      const isAddressed = channel !== undefined && chatId !== undefined;
      return [
        { type: "schedule", what: name === undefined ? message : `${name}\n${message}` },
        ...(isAddressed ? [{ type: "send" as const, channel, chatId, text: message }] : []),
      ];
    },
    execute: async (args, context) => ({ content: await act(args, context, options) }),
  });
}

async function act(args: Args, context: ToolContext, options: CronToolOptions): Promise<string> {
  const { open, timeZone } = options;
  const jobs = await open(context);
  switch (args.action) {
    case "add":
      return add(args, context, { jobs, timeZone, chat: toChat(args, context, options) });
    case "list":
      return list(context.origin, { jobs, timeZone });
    case "remove":
      return remove(args.job_id, context.origin, jobs);
  }
}

interface Opened {
  jobs: CronJobs;
  timeZone: string;
}

/** Undefined: the chat of the turn. Whether the speaker may write to another one is decided by the operation. */
function toChat({ channel, to }: Args, { origin }: ToolContext, { canReach }: CronToolOptions) {
  if (channel === undefined && to === undefined) return undefined;
  if (channel === undefined || to === undefined)
    throw new ToolError("Give channel and to together, or neither for this chat.");
  if (channel === origin.channel && to === origin.chatId) return undefined;
  const chat = { channel, chatId: to };
  // A guest learns nothing about which chats there are.
  if (origin.role === "owner" && !canReach(chat))
    throw new ToolError(
      `Nothing can be sent to ${toOneLine(`${channel}:${to}`, 100)} from here, so nothing was planned. Leave out channel and to for this chat.`,
    );
  return chat;
}

async function add(
  args: Args,
  { origin }: ToolContext,
  { jobs, timeZone, chat }: Opened & { chat?: Pick<ChatAddress, "channel" | "chatId"> | undefined },
): Promise<string> {
  if (origin.cause === "cron")
    throw new ToolError("A scheduled task cannot schedule another one. Tell the user what you would plan.");
  const { message = "", name } = args;
  const schedule = await toSchedule(args, timeZone);
  const job = await jobs.add({ message, schedule, ...(name && { name }), ...(chat && { chat }) });
  const place = chat === undefined ? [] : [`for ${toOneLine(`${job.channel}:${job.chatId}`, 100)}`];
  const note = jobs.note === undefined ? [] : [jobs.note];
  return [[`Created job ${describeJob(job, timeZone)}`, ...place].join("; "), ...note].join("\n");
}

async function toSchedule(args: Args, timeZone: string): Promise<ScheduleDraft> {
  const { at, every_seconds: seconds, cron_expr: expr, tz } = args;
  const given = [at, seconds, expr].filter((value) => value !== undefined);
  if (given.length !== 1) throw new ToolError("Give exactly one of at, every_seconds and cron_expr.");
  if (tz !== undefined && !isTimeZone(tz))
    throw new ToolError(`"${tz}" is no time zone. Give an IANA name such as Asia/Shanghai.`);
  if (expr !== undefined) return { kind: "cron", expr, ...(tz !== undefined && { tz }) };
  if (seconds !== undefined) return { kind: "every", everyMs: seconds * 1000 };
  if ((await readInstant(at ?? "", tz ?? timeZone)) === undefined)
    throw new ToolError(`"${toOneLine(at ?? "", 40)}" is no ISO time such as 2026-08-01T09:00:00.`);
  return { kind: "at", at: at ?? "", ...(tz !== undefined && { tz }) };
}

async function list(origin: Origin, { jobs, timeZone }: Opened): Promise<string> {
  const listed = (await jobs.list()).filter((job) => isOwnJob(job, origin));
  if (listed.length === 0) return "No jobs.";
  const more = listed.length > mostListed ? [`(and ${listed.length - mostListed} more)`] : [];
  return [...listed.slice(0, mostListed).map((job) => describeJob(job, timeZone)), ...more].join("\n");
}

async function remove(id: string | undefined, origin: Origin, jobs: CronJobs): Promise<string> {
  if (id === undefined) throw new ToolError("Give a job_id to remove. Use list to see them.");
  const isTheirs = (await jobs.list()).some((job) => job.id === id && isOwnJob(job, origin));
  if (!isTheirs) throw new ToolError(`There is no job "${toOneLine(id, 40)}". Use list to see the ids.`);
  const { name } = await jobs.remove(id);
  return `Removed job ${id} (${name}).`;
}

/** In one line: `3f2a91c0 "tea": at 2026-08-01 10:20 (Asia/Shanghai)`. */
function describeJob(job: ListedJob, timeZone: string): string {
  const { id, name, schedule, enabled, nextRunAtMs, message, kind, runs } = job;
  const next = nextRunAtMs === undefined ? "none" : formatInstant(nextRunAtMs, timeZone);
  const what = kind === "system" ? "(of the program)" : toOneLine(message, 200);
  const last = runs.at(-1);
  return [
    `${id} "${toOneLine(name, longestName)}": ${describeSchedule(schedule, timeZone)}`,
    ...(schedule.kind === "at" ? [] : [enabled ? `next ${next}` : "paused"]),
    ...(last === undefined ? [] : [`last ${formatInstant(last.runAtMs, timeZone)} ${last.status}`]),
    what,
  ].join("; ");
}

function describeSchedule(schedule: Schedule, timeZone: string): string {
  switch (schedule.kind) {
    case "at":
      return `at ${formatInstant(schedule.atMs, timeZone)} (${timeZone})`;
    case "every":
      return `every ${schedule.everyMs / 1000} s`;
    case "cron":
      return `cron ${schedule.expr} (${schedule.tz ?? timeZone})`;
  }
}
