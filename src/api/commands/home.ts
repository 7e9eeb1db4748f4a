// `/pairing`: who may talk to the assistant, decided by the owner in private.

import { toPlainLine } from "../../lib/text.ts";
import { describeJob, describeName, findJobId, listJobs } from "../jobs/describe-jobs.ts";
import { describeRole, describeSender, listPairing } from "../pairing/pairing.ts";
import type { SlashCommand } from "./command.ts";

export const pairingCommand: SlashCommand = {
  name: "pairing",
  when: "now",
  takesText: true,
  async run({ client, words, now }, text) {
    const { pairing } = words;
    const [action = "list", first = "", second = ""] = text.split(/\s+/).filter(Boolean);
    switch (action) {
      case "list":
        return [listPairing(await client.call("pairing.list", {}), { words, now }), "", pairing.help].join(
          "\n",
        );
      case "approve": {
        if (first === "") return pairing.needsCode("/pairing approve");
        const isOwner = second.toLowerCase() === "owner";
        const sender = await client.call("pairing.approve", {
          code: first,
          ...(isOwner ? { role: "owner" } : { role: "guest", ...(second && { person: second }) }),
        });
        return pairing.approved(describeSender(sender, words), describeRole(sender, words));
      }
      case "deny":
        if (first === "") return pairing.needsCode("/pairing deny");
        await client.call("pairing.deny", { code: first });
        return pairing.denied;
      case "revoke": {
        if (second === "") return pairing.needsSender("/pairing revoke");
        await client.call("pairing.revoke", { channel: first, senderId: second });
        return pairing.revoked(describeSender({ channel: first, senderId: second }, words));
      }
      default:
        return pairing.help;
    }
  },
};

export const cronCommand: SlashCommand = {
  name: "cron",
  when: "now",
  takesText: true,
  async run({ client, isServed, words, now }, text) {
    const { schedule } = words;
    const [action = "list", ...named] = text.split(/\s+/).filter(Boolean);
    const { jobs, timeZone } = await client.call("jobs.list", {});
    if (action === "list") {
      const list = listJobs(jobs, { words, now, timeZone });
      return jobs.length === 0 || (await isServed()) ? list : `${list}\n\n${schedule.waitsForGateway}`;
    }
    if (!["remove", "pause", "resume", "run"].includes(action))
      return schedule.unknownAction(toPlainLine(action, 40));
    if (named.length === 0) return schedule.needsId(`/cron ${action}`);
    const id = findJobId(jobs, named.join(" "));
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
        return schedule.resumed(describeJob(job, { words, now, timeZone }));
      }
    }
  },
};

export const restartCommand: SlashCommand = {
  name: "restart",
  when: "now",
  takesText: true,
  isDoneFirst: true,
  async run({ client, words }) {
    await client.call("gateway.restart", {});
    return words.answers.restart.begins;
  },
};

export const confirmCommand: SlashCommand = {
  name: "confirm",
  when: "now",
  takesText: true,
  async run({ client, words }, text) {
    const { confirm } = words.answers;
    const path = text.trim();
    if (path !== "") {
      await client.call("config.confirm", { path });
      return confirm.done(path);
    }
    const { waiting } = await client.call("config.confirm", {});
    return waiting.length === 0
      ? confirm.nothing
      : [confirm.head, ...waiting.map((each) => confirm.row(each))].join("\n");
  },
};
