// Jobs and goals as a person reads them, in a chat or a terminal: when, next, last, and what for.

import { describeDistance, describeMoment, describeSchedule } from "../../i18n/describe-time.ts";
import { say, type Words } from "../../i18n/words.ts";
import { toPlainLine } from "../../lib/text.ts";
import { isUnfinished, nameOf } from "../../schedule/goals.ts";
import type { Goal } from "../../storage/jobs/goal-file.ts";
import type { JobRun } from "../../storage/jobs/job.ts";
import type { GoalRecord } from "./goals.ts";
import type { JobRecord } from "./jobs.ts";
import type { TriggerRecord } from "./triggers.ts";

export interface JobView {
  words: Words;
  now: number;
  /** Of expressions without a zone of their own. */
  timeZone: string;
}

const longestName = 60;
const longestMessage = 100;
const longestReason = 200;

export function listJobs(jobs: readonly JobRecord[], view: JobView): string {
  const { schedule } = view.words;
  if (jobs.length === 0) return schedule.none;
  const rows = jobs.map((job, index) => `${index + 1}. ${describeJob(job, view)}`);
  return [schedule.heading, "", ...rows].join("\n");
}

/** `**tea**: every 30 minutes; next in 5 minutes, ...` */
export function describeJob(job: JobRecord, view: JobView): string {
  const { words, now } = view;
  const { schedule } = words;
  const { kind, channel, message, runs } = job;
  const last = runs.at(-1);
  const facts = [
    describeSchedule(job.schedule, view),
    describeNext(job, view),
    ...(last === undefined
      ? []
      : [schedule.last(describeDistance(last.runAtMs, now, words), schedule.status[last.status])]),
    kind === "system" ? schedule.own : toPlainLine(channel, longestName),
  ];
  const name = describeName(job);
  const line = `**${name}**: ${facts.join("; ")}`;
  const isSaid = message === "" || toPlainLine(message, longestName) === name;
  return isSaid ? line : `${line}\n   ${toPlainLine(message, longestMessage)}`;
}

/** Nothing in a name is Markdown. */
export function describeName({ name }: Pick<JobRecord, "name">): string {
  return toPlainLine(name.replaceAll(/[*_`[\]<>|]/g, " "), longestName);
}

function describeNext(job: JobRecord, { words, now }: JobView): string {
  const { schedule } = words;
  const { enabled, nextRunAtMs, schedule: when } = job;
  if (job.state === "over") return schedule.over;
  if (!enabled) return schedule.paused;
  if (nextRunAtMs === undefined) return schedule.now;
  const wait = nextRunAtMs <= now ? schedule.now : describeDistance(nextRunAtMs, now, words);
  return when.kind === "at" ? wait : schedule.next(wait, describeMoment(nextRunAtMs, words));
}

/** The runs of jobs, newest first. */
export function listRuns(jobs: readonly JobRecord[], words: Words): string {
  const runs = jobs.flatMap((job) => job.runs.map((run) => ({ job, run })));
  if (runs.length === 0) return words.schedule.noHistory;
  return runs
    .toSorted((a, b) => b.run.runAtMs - a.run.runAtMs)
    .map(
      ({ job, run }) =>
        `- ${describeMoment(run.runAtMs, words)} **${describeName(job)}**: ${describeRun(run, words)}`,
    )
    .join("\n");
}

function describeRun({ status, durationMs, reason }: JobRun, words: Words): string {
  const { schedule } = words;
  return [
    schedule.status[status],
    ...(durationMs === undefined ? [] : [schedule.took((durationMs / 1000).toFixed(1))]),
    ...(reason === undefined ? [] : [toPlainLine(say(reason, words), longestReason)]),
  ].join(", ");
}

export function listTriggers(triggers: readonly TriggerRecord[], { triggers: said }: Words): string {
  if (triggers.length === 0) return said.none;
  return triggers
    .map(({ name, channel, chatId, path }) => said.row(name, `${channel}:${toPlainLine(chatId, 60)}`, path))
    .join("\n");
}

/** As a person reads it: how far it is, and its steps. */
export function describeGoal(goal: GoalRecord, { goals }: Words): string {
  const { steps, round, limits, tokens: used, state } = goal;
  const isDone = ({ state: each }: Goal["steps"][number]) => each === "done";
  const facts = [
    goals.states[state],
    ...(steps.length > 0 ? [goals.progress(steps.filter(isDone).length, steps.length)] : []),
    goals.turns(round, limits.rounds),
    goals.tokens(Math.round(used).toLocaleString("en-US"), limits.tokens.toLocaleString("en-US")),
  ];
  const rows = steps.map(({ text, state: each }) => `   ${goals.marks[each]} ${text}`);
  return [`**${nameOf(goal).replaceAll(/[*_`[\]<>|]/g, " ")}**: ${facts.join(", ")}`, ...rows].join("\n");
}

export function isOpenGoal(goal: GoalRecord): boolean {
  return isUnfinished(goal);
}
