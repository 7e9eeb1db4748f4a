// The jobs of a schedule that nobody serves: kept in a real file, and never run.
import { join } from "node:path";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { silentLog } from "../../src/lib/log.ts";
import { CronService } from "../../src/schedule/cron-service.ts";
import { JobFile } from "../../src/storage/jobs/job-file.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export async function createJobList(
  clock: Clock = systemClock,
  { timeZone = "UTC", home }: { timeZone?: string; home?: string } = {},
): Promise<CronService> {
  return new CronService({
    file: new JobFile(join(home ?? (await createTemporaryFolder()), "jobs.json")),
    clock,
    ids: createIds(clock),
    log: silentLog,
    timeZone,
    publish: async ({ sourceKey }) => ({ id: `turn of ${sourceKey}`, isDuplicate: false }),
    isOpen: () => false,
  });
}
