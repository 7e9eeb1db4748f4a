// CronService: publishes a message for each job that is due, exactly once for each of its times. The time is part of
// the message's source key, so that a crash between publishing and writing it down cannot make two of it.
import type { NewInbound, Receipt } from "../bus/types.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import { KeyedLock } from "../lib/keyed-lock.ts";
import type { Log } from "../lib/log.ts";
import { toPlainLine } from "../lib/text.ts";
import { StateFileError } from "../storage/files/state-file.ts";
import type { Job, JobRun, Schedule } from "../storage/jobs/job.ts";
import { closeRun, scopeOfJob, toReason, toSystemJob } from "../storage/jobs/job.ts";
import type { JobFile } from "../storage/jobs/job-file.ts";
import type { Scope } from "../storage/scope.ts";
import { findFirstRun, findNextRun, findScheduleProblem } from "./next-run.ts";
import { publishSlot } from "./scheduled-message.ts";

/** A task of the program itself, run here instead of as a turn. */
export interface SystemTask {
  id: string;
  everyMs: number;
  /** Instead of the interval. */
  cron?: string;
  /** Must not throw for failures of the world: it says what failed. */
  run(signal: AbortSignal): Promise<Phrase | undefined>;
}

export interface CronServiceOptions {
  file: JobFile;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** For cron expressions without a zone of their own. */
  timeZone: string;
  publish(message: NewInbound): Promise<Receipt>;
  /** Whether the turn that a run started is not over yet. */
  isOpen(turnId: string): boolean;
}

type Asked = "name" | "message" | "schedule" | "sessionKey" | "channel" | "chatId" | "origin";

/** A job of the same id is made once, however often it is asked for. */
export type NewJob = Pick<Job, Asked> & Partial<Pick<Job, "id" | "misfire" | "labels">>;

/** What of a job can be changed; what is absent stays. */
export type JobEdit = Partial<Omit<NewJob, "id">>;

/** So that edits of the file by hand are noticed. */
const longestSleepMs = 60_000;
/** A clock that is this much behind its last reading was set back. */
const setBackMs = 60_000;
const mostJobs = 500;
/** One-time jobs that are over, for their history. */
const mostFinished = 50;

export class CronService {
  readonly #options: CronServiceOptions;
  readonly #lock = new KeyedLock();
  #jobs: Job[] | undefined;
  #finished: Job[] = [];
  #isDirty = false;
  readonly #runningTasks = new Map<string, Promise<void>>();
  readonly #systemTasks: SystemTask[] = [];
  #lastLook = 0;
  #changed = Promise.withResolvers<void>();

  constructor(options: CronServiceOptions) {
    this.#options = options;
  }

  addSystemTask(task: SystemTask): void {
    this.#systemTasks.push(task);
  }

  /** `withFinished`: also one-time jobs that are over, which nobody has to remove. */
  async list(scope: Scope, options?: { withFinished?: boolean }): Promise<Job[]> {
    return (await this.listAll(options)).filter((job) => scopeOfJob(job) === scope);
  }

  /** Of everyone: for the schedule itself and the owner. */
  listAll({ withFinished = false }: { withFinished?: boolean } = {}): Promise<Job[]> {
    return this.#lock.run("jobs", async () => {
      const jobs = await this.#read();
      return withFinished ? [...jobs, ...this.#finished] : [...jobs];
    });
  }

  async add({ schedule, misfire = "once", ...job }: NewJob): Promise<Job> {
    const { clock, ids, timeZone } = this.#options;
    const now = clock.now();
    const id = job.id ?? ids.next().slice(-8);
    const known = (await this.listAll({ withFinished: true })).find((other) => other.id === id);
    if (known !== undefined) return known;
    await this.#check({ ...job, schedule });
    const nextRunAtMs = await findFirstRun(schedule, { now, timeZone });
    const added: Job = {
      ...job,
      id,
      enabled: true,
      schedule,
      kind: "turn",
      misfire,
      ...(nextRunAtMs !== undefined && { nextRunAtMs }),
      runs: [],
      createdAtMs: now,
      deleteAfterRun: schedule.kind === "at",
      raw: {},
    };
    return this.restore(added);
  }

  /** One that was made or removed a moment ago, as it was. */
  async restore(job: Job): Promise<Job> {
    return this.#change((jobs) => {
      if (jobs.length >= mostJobs) throw fail("jobs.too-many", { most: mostJobs });
      const known = jobs.find(({ id }) => id === job.id);
      if (known === undefined) jobs.push(job);
      return known ?? job;
    });
  }

  async edit(id: string, scope: Scope, edit: JobEdit): Promise<Job> {
    const { clock, timeZone } = this.#options;
    return this.#change(async (jobs) => {
      const job = findOwn(jobs, id, scope);
      const { schedule = job.schedule, ...rest } = edit;
      // A time that stays as it is may be over by now.
      const isMoved = JSON.stringify(schedule) !== JSON.stringify(job.schedule);
      await this.#check({ ...rest, ...(isMoved && { schedule }) });
      Object.assign(job, rest);
      if (!isMoved) return job;
      const now = clock.now();
      const nextRunAtMs = await findFirstRun(schedule, { now, timeZone });
      return Object.assign(job, { schedule, nextRunAtMs, deleteAfterRun: schedule.kind === "at" });
    });
  }

  /** Throws a UserError when there is no such job. */
  async remove(id: string, scope: Scope): Promise<Job> {
    return this.#change((jobs) => {
      const job = findOwn(jobs, id, scope);
      jobs.splice(jobs.indexOf(job), 1);
      return job;
    });
  }

  async setEnabled(id: string, scope: Scope, enabled: boolean): Promise<Job> {
    const { clock, timeZone } = this.#options;
    return this.#change(async (jobs) => {
      const job = findOwn(jobs, id, scope);
      if (!enabled) return Object.assign(job, { enabled });
      // Times that passed while it was paused were not missed.
      const anchor = job.nextRunAtMs ?? job.createdAtMs;
      const next = await findNextRun(job.schedule, { after: clock.now(), anchor, timeZone });
      if (next === undefined) throw fail("jobs.over", { id });
      return Object.assign(job, { enabled, nextRunAtMs: next });
    });
  }

  /** Once now, in addition to its schedule. */
  async runNow(id: string, scope: Scope): Promise<JobRun> {
    const { clock } = this.#options;
    const refuse = () => fail("jobs.built-in-runs", { id });
    return this.#change((jobs) => this.#start(findOwn(jobs, id, scope, refuse), clock.now()));
  }

  /** The turn of a run is over. */
  async finish(turnId: string, outcome: { reason?: Phrase; durationMs: number }): Promise<void> {
    const find = (jobs: readonly Job[]) =>
      jobs.flatMap(({ runs }) => runs).find((run) => run.turnId === turnId && run.status === "queued");
    // Most turns are no runs of jobs: for them nothing is saved.
    if (find(await this.listAll({ withFinished: true })) === undefined) return;
    // Looked up again: the file may have been edited meanwhile, and every job read again.
    await this.#change((jobs) => closeRun(find([...jobs, ...this.#finished]), outcome));
  }

  /** Serves the schedule until the signal aborts, and until what it started has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      const changed = this.#changed.promise;
      let next: number | undefined;
      try {
        next = await this.#lock.run("jobs", () => this.#runDue(signal));
      } catch (error) {
        // A full disk, say: what is in memory stays right, and the next look tries again.
        if (!signal.aborted) log.error("schedule-failed", { error });
      }
      const wait = Math.min(longestSleepMs, Math.max(0, (next ?? Number.POSITIVE_INFINITY) - clock.now()));
      const over = new AbortController();
      const sleep = clock.sleep(wait, AbortSignal.any([signal, over.signal]));
      await Promise.race([changed, sleep]).catch(() => {});
      over.abort();
    }
    await Promise.all(this.#runningTasks.values());
  }

  /** Returns when the next one is due. */
  async #runDue(signal: AbortSignal): Promise<number | undefined> {
    const { clock } = this.#options;
    const jobs = await this.#read();
    const now = clock.now();
    const isSetBack = now < this.#lastLook - setBackMs;
    const isFirst = this.#lastLook === 0;
    this.#lastLook = now;
    for (const job of [...jobs]) {
      if (!job.enabled) continue;
      if (job.nextRunAtMs === undefined || isSetBack) job.nextRunAtMs = await this.#findNext(job, now);
      else if (isFirst && job.nextRunAtMs > now) job.nextRunAtMs = await this.#findEarliest(job, now);
      if (job.nextRunAtMs !== undefined && job.nextRunAtMs <= now) await this.#runSlot(job, now, signal);
    }
    if (this.#isDirty) await this.#save();
    const times = jobs.flatMap(({ enabled, nextRunAtMs }) => (enabled && nextRunAtMs) || []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async #runSlot(job: Job, now: number, signal: AbortSignal): Promise<void> {
    const slot = job.nextRunAtMs ?? now;
    const isLate = now - slot > 2 * longestSleepMs;
    if (job.kind === "system") {
      this.#startTask(job, now, signal);
    } else if (isLate && job.misfire === "skip") {
      this.#record(job, { runAtMs: slot, status: "skipped", reason: phrase("jobs.missed") });
    } else if (this.#isRunning(job)) {
      this.#record(job, { runAtMs: slot, status: "skipped", reason: phrase("jobs.overlap") });
    } else {
      await this.#start(job, slot);
    }
    this.#settle(job, await this.#findNext(job, Math.max(now, slot)));
  }

  /** Only its last run is of interest. The next look is not to wait for it. */
  #startTask(job: Job, now: number, signal: AbortSignal): void {
    const task = this.#systemTasks.find(({ id }) => id === job.id);
    if (task === undefined || this.#runningTasks.has(job.id)) return;
    job.runs = [{ runAtMs: now, status: "queued" }];
    const running = this.#runTask(task, signal).finally(() => this.#runningTasks.delete(job.id));
    this.#runningTasks.set(job.id, running);
  }

  async #runTask(task: SystemTask, signal: AbortSignal): Promise<void> {
    const { id } = task;
    const { clock, log } = this.#options;
    const startedAt = clock.elapsed();
    try {
      const reason = await task.run(signal).catch((thrown: unknown) => {
        log.error("system-task-failed", { task: id, error: thrown });
        return toReason(thrown);
      });
      const durationMs = Math.round(clock.elapsed() - startedAt);
      // Ended with the program: the next one sees that it was not over.
      if (signal.aborted) return;
      await this.#change((jobs) =>
        closeRun(jobs.find((job) => job.id === id)?.runs.at(-1), { durationMs, ...(reason && { reason }) }),
      );
    } catch (error) {
      // It is written down with the next change.
      log.error("schedule-failed", { error });
    }
  }

  async #start(job: Job, slot: number): Promise<JobRun> {
    const { log } = this.#options;
    const turnId = await publishSlot(job, slot, this.#options);
    const run: JobRun = { runAtMs: slot, status: "queued", turnId };
    this.#record(job, run);
    log.info("job-started", { job: job.id, slot, turn: turnId });
    return run;
  }

  #isRunning({ runs }: Job): boolean {
    const { turnId, status } = runs.findLast((run) => run.turnId !== undefined) ?? {};
    return status === "queued" && turnId !== undefined && this.#options.isOpen(turnId);
  }

  #record(job: Job, run: JobRun): void {
    job.runs.push(run);
    if (job.runs.length > 20) job.runs.shift();
    this.#isDirty = true;
  }

  /** A job without a further time is over. */
  #settle(job: Job, next: number | undefined): void {
    this.#isDirty = true;
    job.nextRunAtMs = next;
    if (next !== undefined) return;
    job.enabled = false;
    if (!job.deleteAfterRun) return;
    this.#jobs = this.#jobs?.filter((other) => other !== job);
    this.#finished = [...this.#finished, job].slice(-mostFinished);
  }

  /** Throws a UserError for what cannot be. */
  async #check({ schedule, message }: JobEdit): Promise<void> {
    const { clock, timeZone } = this.#options;
    const problem = schedule && (await findScheduleProblem(schedule, { now: clock.now(), timeZone }));
    if (problem !== undefined) throw new UserError(problem);
    if (message?.trim() === "") throw fail("jobs.needs-message");
  }

  /** A clock may have been set back while nothing ran: no time is later than the one that would be chosen now. */
  async #findEarliest(job: Job, now: number): Promise<number | undefined> {
    const { nextRunAtMs: stored = now } = job;
    return Math.min(stored, (await this.#findNext(job, now)) ?? stored);
  }

  async #findNext(
    { id, schedule, createdAtMs, nextRunAtMs }: Job,
    after: number,
  ): Promise<number | undefined> {
    const { timeZone, log } = this.#options;
    // A one-time job that was missed, or written by hand for a time that is over, is still to be run.
    if (schedule.kind === "at" && nextRunAtMs === undefined) return schedule.atMs;
    try {
      return await findNextRun(schedule, { after, anchor: nextRunAtMs ?? createdAtMs, timeZone });
    } catch (error) {
      log.warn("job-without-time", { job: id, error });
      return undefined;
    }
  }

  async #change<T>(change: (jobs: Job[]) => T | Promise<T>): Promise<T> {
    const result = await this.#lock.run("jobs", async () => {
      const jobs = await this.#read();
      const before = { jobs: structuredClone(jobs), isDirty: this.#isDirty };
      const value = await change(jobs);
      this.#isDirty = true;
      await this.#save().catch((error: unknown) => {
        // What the file cannot take is not kept in memory either, or nothing could be saved any more.
        if (error instanceof StateFileError) [this.#jobs, this.#isDirty] = [before.jobs, before.isDirty];
        throw error;
      });
      return value;
    });
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
    return result;
  }

  /** What is in memory counts until it is saved; otherwise what the file says. */
  async #read(): Promise<Job[]> {
    const { file, log } = this.#options;
    if (this.#jobs !== undefined && (this.#isDirty || !(await file.hasChanged()))) return this.#jobs;
    const loaded = await file.load().catch((error: unknown) => {
      // Not readable for now: what is known goes on, and the next look tries again.
      if (!(error instanceof StateFileError) || this.#jobs === undefined) throw error;
      log.error("job-file-problem", { problem: error.message });
      return undefined;
    });
    if (loaded === undefined) return this.#jobs ?? [];
    const { jobs, finished, problems } = loaded;
    for (const problem of problems) log.warn("job-file-problem", { problem });
    this.#jobs = jobs;
    this.#finished = finished;
    this.#addSystemTasks(jobs);
    return this.#jobs;
  }

  async #save(): Promise<void> {
    await this.#options.file.save(this.#jobs ?? [], this.#finished);
    this.#isDirty = false;
  }

  #addSystemTasks(jobs: Job[]): void {
    for (const { id, everyMs, cron } of this.#systemTasks) {
      const known = jobs.find((job) => job.id === id);
      const schedule: Schedule =
        cron === undefined ? { kind: "every", everyMs } : { kind: "cron", expr: cron };
      const isSame = JSON.stringify(known?.schedule) === JSON.stringify(schedule);
      if (!this.#runningTasks.has(id)) closeRun(known?.runs.at(-1), { reason: phrase("jobs.interrupted") });
      if (known === undefined) jobs.push(toSystemJob(id, schedule, this.#options.clock.now()));
      else
        Object.assign(known, {
          kind: "system",
          enabled: true,
          schedule,
          ...(!isSame && { nextRunAtMs: undefined, createdAtMs: this.#options.clock.now() }),
        });
    }
  }
}

/** One that may be changed. */
function findOwn(
  jobs: readonly Job[],
  id: string,
  scope: Scope,
  refuse: () => UserError = () => fail("jobs.built-in", { id }),
): Job {
  const job = jobs.find((candidate) => candidate.id === id && scopeOfJob(candidate) === scope);
  if (job === undefined) throw fail("jobs.not-found", { id: toPlainLine(id, 40) });
  if (job.kind === "system") throw refuse();
  return job;
}
