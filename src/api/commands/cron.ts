// `/cron`: what is planned, and changing it.
import { toPlainLine } from "../../lib/text.ts";
import { describeJob, describeName, listJobs } from "../jobs/describe-jobs.ts";
import type { SlashCommand } from "./command.ts";

export const cronCommand: SlashCommand = {
  name: "cron",
  when: "now",
  takesText: true,
  async run({ client, isServed, words, now }, text) {
    const { schedule } = words;
    const [action = "list", id = ""] = text.split(/\s+/).filter(Boolean);
    if (action === "list") {
      const { jobs, timeZone } = await client.call("jobs.list", {});
      const list = listJobs(jobs, { words, now, timeZone });
      return jobs.length === 0 || (await isServed()) ? list : `${list}\n\n${schedule.waitsForGateway}`;
    }
    if (!["remove", "pause", "resume", "run"].includes(action))
      return schedule.unknownAction(toPlainLine(action, 40));
    if (id === "") return schedule.needsId(`/cron ${action}`);
    switch (action) {
      case "remove":
        return schedule.removed(describeName(await client.call("jobs.remove", { id })));
      case "run": {
        const { job } = await client.call("jobs.run", { id });
        return ((await isServed()) ? schedule.begun : schedule.willRun)(describeName(job));
      }
      case "pause":
        return schedule.isPaused(describeName(await client.call("jobs.enable", { id, enabled: false })));
      default: {
        const job = await client.call("jobs.enable", { id, enabled: true });
        const { timeZone } = await client.call("jobs.list", {});
        return schedule.resumed(describeJob(job, { words, now, timeZone }));
      }
    }
  },
};
