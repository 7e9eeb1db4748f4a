// `/cron`: what is planned, and changing it, for whoever asks.
import type { Origin } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { toPlainLine } from "../lib/text.ts";
import { isForEyesOf } from "../schedule/job-rights.ts";
import { describeJob, describeName, type JobView, listJobs } from "./describe-jobs.ts";
import type { Reached } from "./reach-control.ts";

export interface ScheduleAnswerParts {
  reach(): Promise<Reached>;
  clock: Clock;
  words: Words;
  timeZone: string;
}

export async function answerCron(
  { reach, clock, words, timeZone }: ScheduleAnswerParts,
  origin: Origin,
  text: string,
): Promise<string> {
  const { schedule } = words;
  const { control, isServed } = await reach();
  const view: JobView = { words, now: clock.now(), timeZone };
  const [action = "list", id = ""] = text.split(/\s+/).filter(Boolean);
  const jobs = (await control.listJobs({})).filter((job) => isForEyesOf(job, origin));
  if (action === "list")
    return [
      listJobs(jobs, view),
      ...(isServed || jobs.length === 0 ? [] : ["", schedule.waitsForGateway]),
    ].join("\n");
  if (!["remove", "pause", "resume", "run"].includes(action))
    return schedule.unknownAction(toPlainLine(action, 40));
  if (id === "") return schedule.needsId(`/cron ${action}`);
  const job = jobs.find((candidate) => candidate.id === id);
  if (job === undefined) return words.sentences.wishes.noJob(toPlainLine(id, 40));
  switch (action) {
    case "remove":
      return schedule.removed(describeName(await control.removeJob({ id })));
    case "run":
      await control.runJob({ id });
      return isServed ? schedule.begun(describeName(job)) : schedule.willRun(describeName(job));
    case "pause":
      return schedule.isPaused(describeName(await control.enableJob({ id, enabled: false })));
    default:
      return schedule.resumed(describeJob(await control.enableJob({ id, enabled: true }), view));
  }
}
