// The tool cron: reminders and tasks for later, bound to the chat in which they were made. Knows no scheduler: it is
// handed the jobs.
import * as z from "zod";
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
  add(job: { name?: string; message: string; schedule: ScheduleDraft }): Promise<ListedJob>;
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
  message: z
    .string()
    .refine((text) => text.length <= longestMessage, `must be at most ${longestMessage} characters`)
    .optional()
    .describe("Then to do"),
  name: z.string().optional(),
  at: z.string().optional().describe("ISO time"),
  every_seconds: z.int().optional().describe("60 up"),
  cron_expr: z.string().optional(),
  tz: z.string().optional(),
  job_id: z.string().optional(),
});

type Args = z.output<typeof parameters>;

export function createCron(options: CronToolOptions): Tool<Args> {
  return defineTool({
    name: "cron",
    description: "Reminders and later tasks, for this chat.",
    parameters,
    repeat: "by-call-id",
    boundsItself: true,
    effects({ action, message = "", job_id: id = "" }) {
      if (action === "list") return [];
      return [{ type: "schedule", what: action === "add" ? message : `remove ${id}` }];
    },
    execute: async (args, context) => ({ content: await act(args, context, options) }),
  });
}

async function act(args: Args, context: ToolContext, { open, timeZone }: CronToolOptions): Promise<string> {
  const jobs = await open(context);
  switch (args.action) {
    case "add":
      return add(args, context, { jobs, timeZone });
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

async function add(args: Args, { origin }: ToolContext, { jobs, timeZone }: Opened): Promise<string> {
  if (origin.cause === "cron")
    throw new ToolError("A scheduled task cannot schedule another one. Tell the user what you would plan.");
  const { message = "", name } = args;
  const job = await jobs.add({ message, schedule: await toSchedule(args, timeZone), ...(name && { name }) });
  return [`Created job ${describeJob(job, timeZone)}`, ...(jobs.note === undefined ? [] : [jobs.note])].join(
    "\n",
  );
}

async function toSchedule(args: Args, timeZone: string): Promise<ScheduleDraft> {
  const { at, every_seconds: seconds, cron_expr: expr, tz } = args;
  const given = [at, seconds, expr].filter((value) => value !== undefined);
  if (given.length !== 1) throw new ToolError("Give exactly one of at, every_seconds and cron_expr.");
  if (tz !== undefined && !isTimeZone(tz))
    throw new ToolError(`"${tz}" is no time zone. Give an IANA name such as Asia/Shanghai.`);
  if (expr !== undefined) return { kind: "cron", expr, ...(tz !== undefined && { tz }) };
  if (seconds !== undefined) {
    if (seconds < shortestSeconds)
      throw new ToolError(`every_seconds must be ${shortestSeconds} or more. For less, there is no job.`);
    return { kind: "every", everyMs: seconds * 1000 };
  }
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
