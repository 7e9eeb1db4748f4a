// `nanobot cron`: lists, adds and changes reminders and tasks.

import type { ParamsOf } from "../../api/index.ts";
import { describeJob, describeName, type JobView, listJobs, listRuns } from "../../api/jobs/describe-jobs.ts";
import type { JobRecord } from "../../api/jobs/jobs.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { findListed } from "../../lib/language/nearest.ts";
import { nanobot } from "../../lib/program-command.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { isTimeZone, readInstant } from "../../schedule/next-run.ts";
import type { JobRun } from "../../storage/jobs/job.ts";
import type { CronOptions } from "../command-line/options.ts";
import { type OpenedClient, reportWithClient } from "../open-client.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

const longestName = 80;
const intervals: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function runCron(options: CronOptions, context: CommandContext): Promise<number> {
  const { words } = context.terminal;
  return reportWithClient(options, context, (opened) => act(options, words, opened));
}

async function act(options: CronOptions, words: Words, opened: OpenedClient): Promise<Report> {
  const { client, timeZone } = opened;
  const view: JobView = { words, now: systemClock.now(), timeZone };
  switch (options.action) {
    case "list": {
      const { jobs } = await client.call("jobs.list", {});
      const text = listJobs(jobs, view);
      return {
        json: jobs.map((job) => toPrinted(job, words)),
        markdown: jobs.length === 0 ? text : withNote(text, opened, words),
      };
    }
    case "add": {
      const job = await client.call("jobs.add", await toJob(options, opened, words));
      const text = words.schedule.added(describeJob(job, view));
      return { json: toPrinted(job, words), markdown: withNote(text, opened, words) };
    }
    case "history": {
      const all = await client.call("jobs.list", { withFinished: true });
      const wanted = options.id === undefined ? undefined : findListed(all.jobs, options.id, describeName);
      const jobs = all.jobs.filter(({ id }) => wanted === undefined || id === wanted);
      return {
        json: jobs.map(({ id, name, runs }) => ({ id, name, runs: printRuns(runs, words) })),
        markdown: listRuns(jobs, words),
      };
    }
    default:
      return change(options, opened, view);
  }
}

async function change(
  { action, id: named }: CronOptions,
  { client }: OpenedClient,
  view: JobView,
): Promise<Report> {
  const { words } = view;
  const { schedule } = words;
  if (named === undefined) throw new CommandFailure(schedule.needsId(`${nanobot} cron ${action}`), 2);
  const { jobs } = await client.call("jobs.list", {});
  const id = findListed(jobs, named, describeName);
  if (action === "remove") {
    const job = await client.call("jobs.remove", { id });
    return { json: toPrinted(job, words), markdown: schedule.removed(describeName(job)) };
  }
  if (action === "run") {
    const { job, run } = await client.call("jobs.run", { id });
    const name = describeName(job);
    return { json: run, markdown: client.isServed ? schedule.begun(name) : schedule.willRun(name) };
  }
  const job = await client.call("jobs.enable", { id, enabled: action === "resume" });
  const sentence =
    action === "resume" ? schedule.resumed(describeJob(job, view)) : schedule.isPaused(describeName(job));
  return { json: toPrinted(job, words), markdown: sentence };
}

/** Without a gateway no job runs. */
function withNote(text: string, { client }: OpenedClient, { schedule }: Words): string {
  return client.isServed ? text : `${text}\n\n${schedule.waitsForGateway}`;
}

async function toJob(
  options: CronOptions,
  { timeZone }: OpenedClient,
  words: Words,
): Promise<ParamsOf<"jobs.add">> {
  const { message = "", name, channel, to, deliver, misfire } = options;
  const { schedule } = words;
  if (message.trim() === "") throw new CommandFailure(schedule.needsMessage, 2);
  const namesChat = channel !== undefined && to !== undefined;
  if (!namesChat && (deliver === true || channel !== undefined || to !== undefined))
    throw new CommandFailure(schedule.needsChat, 2);
  const chat = namesChat ? { channel, chatId: to } : { channel: "cli", chatId: "direct" };
  return {
    name: toOneLine(name ?? message, longestName),
    message,
    schedule: await toSchedule(options, timeZone, words),
    chat,
    ...(misfire && { misfire }),
  };
}

async function toSchedule(
  { at, every, cron, tz }: CronOptions,
  timeZone: string,
  { schedule }: Words,
): Promise<ParamsOf<"jobs.add">["schedule"]> {
  const schedules = [at, every, cron].filter((value) => value !== undefined);
  if (schedules.length !== 1) throw new CommandFailure(schedule.needsOneTime, 2);
  if (tz !== undefined && !isTimeZone(tz)) throw new CommandFailure(schedule.badZone(revealLine(tz)), 2);
  if (cron !== undefined) return { kind: "cron", expr: cron, ...(tz !== undefined && { tz }) };
  if (every !== undefined) return { kind: "every", everyMs: readInterval(every, schedule) };
  if ((await readInstant(at ?? "", tz ?? timeZone)) === undefined)
    throw new CommandFailure(schedule.badTime(revealLine(at ?? "")), 2);
  return { kind: "at", at: at ?? "", ...(tz !== undefined && { tz }) };
}

/** `90`, `90s`, `30m`, `2h`, `1d`; without a unit in seconds, as the Python original counts. */
function readInterval(text: string, schedule: Words["schedule"]): number {
  const [, count, unit = "s"] = /^(\d{1,9})\s*([smhd])?$/i.exec(text.trim()) ?? [];
  const ms = Number(count) * (intervals[unit.toLowerCase()] ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new CommandFailure(schedule.badInterval(revealLine(text)), 2);
}

function toPrinted({ state: _, runs, ...job }: JobRecord, words: Words) {
  return { ...job, runs: printRuns(runs, words) };
}

/** As JSON a run has its reason as a sentence, as in 0.1.0. */
function printRuns(runs: readonly JobRun[], words: Words) {
  return runs.map(({ reason, ...run }) => ({ ...run, ...(reason && { error: say(reason, words) }) }));
}
