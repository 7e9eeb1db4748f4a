// Jobs, their runs and the heartbeat on the wire, as facts: whoever shows them has the words.
import type { JobRun, Misfire, Schedule } from "../../schedule/job.ts";
import type { ScheduleProblem } from "../../schedule/next-run.ts";

export interface JobChat {
  channel: string;
  chatId: string;
}

export interface KnownChat extends JobChat {
  /** Of the person there. */
  name?: string;
}

export interface JobCard extends JobChat {
  id: string;
  name: string;
  message: string;
  schedule: Schedule;
  state: "planned" | "paused" | "over";
  /** Of the program itself: can be looked at, and nothing else. */
  isOwn: boolean;
  misfire: Misfire;
  nextRunAt?: number;
  createdAt: number;
  /** The latest ones, the oldest first. */
  runs: Array<Omit<JobRun, "turnId">>;
}

/** As a form has it: `at` is a time such as `2026-08-01T09:00`, by the clock of `tz`, or of the gateway. */
export type ScheduleDraft =
  | { kind: "at"; at: string; tz?: string }
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expr: string; tz?: string };

export interface JobDraft {
  name: string;
  message: string;
  schedule: ScheduleDraft;
  misfire: Misfire;
  chat: JobChat;
}

export interface DraftProblem {
  field: "at" | "everyMs" | "expr" | "tz";
  kind: ScheduleProblem["kind"] | "no-time";
  message: string;
}

/** A job on one day. */
export interface DayRuns {
  jobId: string;
  /** The first ones. */
  times: number[];
  isMore: boolean;
}

export interface HeartbeatCard {
  isEnabled: boolean;
  everyMs: number;
  /** `last`, or a chat such as `telegram:42`. */
  target: string;
  /** What of HEARTBEAT.md is to be done; the file itself is one of memory. */
  tasks: string[];
  lastLookAt?: number;
  nextLookAt?: number;
}

export interface ScheduleMethods {
  "schedule.list": {
    params: object;
    result: { jobs: JobCard[]; finished: JobCard[]; chats: KnownChat[]; timeZone: string };
  };
  /** The next times of what is not saved yet, or what is wrong with it. */
  "schedule.preview": {
    params: { schedule: ScheduleDraft };
    result: { times: number[]; problem?: DraftProblem };
  };
  /** `days` are the beginnings of days that follow one another, and the end of the last one. */
  "schedule.calendar": { params: { days: number[] }; result: { days: DayRuns[][] } };
  "schedule.add": { params: JobDraft; result: JobCard };
  "schedule.edit": { params: JobDraft & { id: string }; result: JobCard };
  "schedule.run": { params: { id: string }; result: { runAt: number } };
  "schedule.pause": { params: { id: string; isPaused: boolean }; result: JobCard };
  /** Can be undone by `schedule.restore` for a while. */
  "schedule.remove": { params: { id: string }; result: { undo: string } };
  "schedule.restore": { params: { undo: string }; result: JobCard };
  "heartbeat.read": { params: object; result: HeartbeatCard };
  "heartbeat.aim": { params: { target: string }; result: HeartbeatCard };
}
