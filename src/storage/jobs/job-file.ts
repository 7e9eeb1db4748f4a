// cron/jobs.json: the jobs as a file that people may read and edit. What cannot be understood of it, a job or a key, stays
// in the file and does nothing.
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { StateFile } from "../files/state-file.ts";
import { formatJob, type Job, parseJob } from "./job.ts";

export interface LoadedJobs {
  jobs: Job[];
  /** One-time jobs that are over, next to the others, where older readers do not look. */
  finished: Job[];
  /** What is wrong with the file, one sentence each. */
  problems: string[];
}

/** What is in the file and not ours, kept as it is. */
interface Foreign {
  keys: JsonObject;
  jobs: unknown[];
  finished: unknown[];
}

export function jobFilePath(workspace: string): string {
  return join(workspace, "cron", "jobs.json");
}

export class JobFile {
  readonly path: string;
  readonly #file: StateFile;
  #foreign: Foreign = { keys: {}, jobs: [], finished: [] };
  #stamp = "";

  constructor(path: string) {
    this.path = path;
    this.#file = new StateFile(path, { findFault, keepsMode: true });
  }

  /** Throws a StateFileError for a file that cannot be read for now. */
  async load(): Promise<LoadedJobs> {
    const stamp = await this.#file.stamp();
    const { value = {}, problem } = await this.#file.read();
    this.#stamp = stamp;
    const { problems, ...loaded } = this.#parse(value);
    return { ...loaded, problems: problem === undefined ? problems : [problem, ...problems] };
  }

  async save(jobs: readonly Job[], finished: readonly Job[] = []): Promise<void> {
    const { keys, ...rows } = this.#foreign;
    const past = [...finished.map(formatJob), ...rows.finished];
    await this.#file.write({
      version: 1,
      ...keys,
      jobs: [...jobs.map(formatJob), ...rows.jobs],
      ...(past.length > 0 && { finished: past }),
    });
    this.#stamp = await this.#file.stamp();
  }

  /** Whether another process or a person wrote it since it was last read or saved here. */
  async hasChanged(): Promise<boolean> {
    return (await this.#file.stamp()) !== this.#stamp;
  }

  #parse({ jobs: rows, finished: past, ...keys }: JsonObject): LoadedJobs {
    const problems: string[] = [];
    const current = parseRows(rows, problems);
    // Nothing depends on those that are over: an odd one is only kept.
    const over = parseRows(past, []);
    this.#foreign = { keys, jobs: current.foreign, finished: over.foreign };
    return { jobs: current.jobs, finished: over.jobs, problems };
  }
}

function parseRows(rows: unknown, problems: string[]): { jobs: Job[]; foreign: unknown[] } {
  const jobs = new Map<string, Job>();
  const foreign: unknown[] = [];
  for (const row of Array.isArray(rows) ? rows : []) {
    const job = isRecord(row) ? parseJob(row as JsonObject) : "an entry is no job";
    if (typeof job !== "string" && !jobs.has(job.id)) {
      jobs.set(job.id, job);
      continue;
    }
    foreign.push(row);
    problems.push(typeof job === "string" ? job : `job ${job.id}: another one has the same id`);
  }
  return { jobs: [...jobs.values()], foreign };
}

function findFault({ jobs = [], finished = [] }: JsonObject): string | undefined {
  return Array.isArray(jobs) && Array.isArray(finished) ? undefined : "must hold its jobs as a list, in [ ]";
}
