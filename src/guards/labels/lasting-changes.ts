// What a turn changed that lasts: prompt files and memory, each with its difference, and the schedule, for the person to
// see. Decides nothing.
import type { Origin } from "../../bus/types.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { cutMiddle } from "../../lib/text.ts";
import { ToolError } from "../../runner/tool.ts";
import type { TurnPlace, UndoLog } from "../../storage/changes/undo-log.ts";
import type { TurnRecord } from "../../storage/changes/undo-record.ts";
import { type Job, parseJob } from "../../storage/jobs/job.ts";
import type { FileRoots } from "../files/file-roots.ts";

/** A file with its difference, as the person knows it; or a job that was planned or removed. */
export type LastingChange = { path: string; diff: string } | { job: LastingJob };

export interface LastingJob extends Pick<Job, "name" | "message" | "schedule"> {
  isRemoved: boolean;
}

export interface LastingOptions {
  undo: Pick<UndoLog, "find" | "readBefore">;
  roots: Pick<FileRoots, "openForReading" | "display">;
  isPromptFile(path: string, origin: Origin): boolean;
  /** Of expressions without a zone of their own. */
  timeZone: string;
}

const mostFiles = 5;
const mostJobs = 10;
const longestDiff = 1_500;
const largestFile = 256 * 1024;

export async function findLastingChanges(
  place: TurnPlace,
  origin: Origin,
  { undo, roots, isPromptFile, timeZone }: LastingOptions,
): Promise<LastingChange[]> {
  const record = await undo.find(place);
  const { changes = [], isUndone } = record ?? {};
  if (isUndone === true) return [];
  const lasting = changes.filter(({ path, before, after }) => before !== after && isPromptFile(path, origin));
  const found = lasting.slice(0, mostFiles).map(async ({ path }) => {
    const before = (await undo.readBefore(place, path))?.toString("utf8") ?? "";
    const after = await readNow(path, origin, roots);
    const diff = (await diffLines(before, after, longestDiff)) ?? after.replaceAll(/^/gm, "+");
    return { path: roots.display(path, origin), diff: cutMiddle(diff, longestDiff) };
  });
  const jobs = toLastingJobs(record, timeZone).slice(0, mostJobs);
  return [...(await Promise.all(found)).filter(({ diff }) => diff !== ""), ...jobs.map((job) => ({ job }))];
}

/** What a turn planned and removed, unless that was taken back. */
export function toLastingJobs(record: TurnRecord | undefined, timeZone: string): LastingJob[] {
  const { jobs = [], areJobsUndone } = record ?? {};
  if (areJobsUndone === true) return [];
  return jobs.flatMap(({ before, after }) => {
    const job = parseJob(after ?? before ?? {});
    if (typeof job === "string") return [];
    const { name, message, schedule: when } = job;
    const schedule = when.kind === "cron" ? { tz: timeZone, ...when } : when;
    return [{ name, message, schedule, isRemoved: after === null }];
  });
}

async function readNow(path: string, origin: Origin, roots: LastingOptions["roots"]): Promise<string> {
  const file = await roots.openForReading(path, origin).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
  try {
    return file === undefined || file.size > largestFile ? "" : await file.handle.readFile("utf8");
  } finally {
    await file?.handle.close();
  }
}
