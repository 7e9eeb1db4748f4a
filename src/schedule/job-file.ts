// cron/jobs.json: the jobs as a file that people may read and edit. One that cannot be read is set aside, and the last
// good copy takes its place; a job that cannot be understood stays in the file and does nothing.
import { copyFile, rename, stat } from "node:fs/promises";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import { readJsonFile } from "../lib/json-file.ts";
import type { JsonObject } from "../lib/json-tree.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import { formatJob, type Job, parseJob } from "./job.ts";

export interface LoadedJobs {
  jobs: Job[];
  /** One-time jobs that are over, beside the others, where older readers do not look. */
  finished: Job[];
  /** What is wrong with the file, one sentence each. */
  problems: string[];
}

export class JobFile {
  readonly path: string;
  readonly #clock: Clock;
  /** Entries that are no jobs to us, kept as they are. */
  #foreign: JsonObject[] = [];
  #stamp = "";

  constructor(path: string, clock: Clock) {
    this.path = path;
    this.#clock = clock;
  }

  async load(): Promise<LoadedJobs> {
    const stamp = await this.#readStamp();
    const file = await readJsonFile(this.path);
    this.#stamp = stamp;
    if (file.state === "read") return this.#parse(file.value);
    if (file.state === "absent") return { jobs: [], finished: [], problems: [] };
    const aside = `${this.path}.corrupt-${this.#clock.now()}`;
    await rename(this.path, aside);
    await copyFile(this.#copyPath, this.path).catch(ignoreMissing);
    const problem = `${file.message}. It was set aside as ${aside}; the jobs of its last good copy go on.`;
    const { problems, ...loaded } = await this.load();
    return { ...loaded, problems: [problem, ...problems] };
  }

  async save(jobs: readonly Job[], finished: readonly Job[] = []): Promise<void> {
    const content = {
      version: 1,
      jobs: [...jobs.map(formatJob), ...this.#foreign],
      ...(finished.length > 0 && { finished: finished.map(formatJob) }),
    };
    const text = JSON.stringify(content, null, 2);
    await writeFileAtomic(this.path, `${text}\n`);
    await copyFile(this.path, this.#copyPath);
    this.#stamp = await this.#readStamp();
  }

  /** Whether somebody else wrote it since it was last read or saved here. */
  async hasChanged(): Promise<boolean> {
    return (await this.#readStamp()) !== this.#stamp;
  }

  get #copyPath(): string {
    return `${this.path}.last-good`;
  }

  #parse({ jobs: rows, finished: past }: JsonObject): LoadedJobs {
    const jobs = new Map<string, Job>();
    const problems: string[] = [];
    this.#foreign = [];
    for (const row of toRows(rows)) {
      const job = parseJob(row);
      if (typeof job !== "string" && !jobs.has(job.id)) {
        jobs.set(job.id, job);
        continue;
      }
      this.#foreign.push(row);
      problems.push(typeof job === "string" ? job : `job ${job.id}: another one has the same id`);
    }
    const finished = toRows(past)
      .map(parseJob)
      .filter((job) => typeof job !== "string");
    return { jobs: [...jobs.values()], finished, problems };
  }

  async #readStamp(): Promise<string> {
    const info = await stat(this.path, { bigint: true }).catch(ignoreMissing);
    return info === undefined ? "" : `${info.ino}:${info.size}:${info.mtimeNs}`;
  }
}

function toRows(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((row): row is JsonObject => isRecord(row)) : [];
}
