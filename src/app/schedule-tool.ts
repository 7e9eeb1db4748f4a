// What the tool cron works with: the jobs of the home, through its gateway if one runs.
import { nanobot } from "../lib/program-command.ts";
import { ScheduleError } from "../schedule/cron-service.ts";
import { ControlError } from "../server/control.ts";
import type { CronToolOptions } from "../tools/cron.ts";
import type { Reached } from "./reach-control.ts";

/** For the model: a field, and what to do about it. The skill says it to the user in their language. */
const unserved = `gateway: not-running\nTell the user that it happens only while the gateway runs: ${nanobot} gateway`;

export function createScheduleTool(reach: () => Promise<Reached>, timeZone: string): CronToolOptions {
  /** What a gateway refused is told like what was refused here. */
  async function ask<T>(wish: (control: Reached["control"]) => Promise<T>): Promise<T> {
    const { control } = await reach();
    try {
      return await wish(control);
    } catch (error) {
      throw error instanceof ControlError ? new ScheduleError(error.message) : error;
    }
  }

  return {
    timeZone,
    jobs: {
      list: () => ask((control) => control.listJobs({})),
      add: (job) => ask((control) => control.addJob(job)),
      remove: (id) => ask((control) => control.removeJob({ id })),
    },
    describeService: async () => ((await reach()).isServed ? undefined : unserved),
  };
}
