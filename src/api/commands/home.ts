// `/pairing`, `/cron`, `/goal`, `/trigger`, `/restart` and `/confirm`: access, jobs, goals, restart and settings, from a chat.

import { findListed } from "../../lib/language/nearest.ts";
import { toPlainLine } from "../../lib/text.ts";
import {
  describeGoal,
  describeJob,
  describeName,
  isOpenGoal,
  listJobs,
  listTriggers,
} from "../jobs/describe-jobs.ts";
import type { GoalRecord } from "../jobs/goals.ts";
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
    const id = findListed(jobs, named.join(" "), describeName);
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

export const triggerCommand: SlashCommand = {
  name: "trigger",
  when: "now",
  takesText: true,
  async run({ client, words }, text) {
    const { triggers: said } = words;
    const [name = "", removed] = text.split(/\s+/).filter(Boolean);
    if (name === "") return listTriggers((await client.call("triggers.list", {})).triggers, words);
    if (name === "remove" && removed !== undefined)
      return said.removed((await client.call("triggers.remove", { trigger: removed })).name);
    const { path, secret } = await client.call("triggers.add", { name });
    return said.added(name, path, secret);
  },
};

const goalStates = { pause: "paused", resume: "active", stop: "stopped" } as const;

export const goalCommand: SlashCommand = {
  name: "goal",
  when: "now",
  takesText: true,
  async run({ client, isServed, words, sessionKey }, text) {
    const { goals: said, schedule } = words;
    const { goals } = await client.call("goals.list", {});
    const [, action = "", number = ""] =
      /^(list|pause|resume|stop|limit)?\s*([\d_,.]+k?)?$/i.exec(text.trim()) ?? [];
    if (text.trim() === "" || action === "list") {
      const rows = goals.map((goal, index) => `${index + 1}. ${describeGoal(goal, words)}`);
      return rows.length === 0 ? said.none : [said.heading, "", ...rows].join("\n");
    }
    if (action === "") {
      const begun = describeGoal(await client.call("goals.start", { text }), words);
      return (await isServed()) ? said.begun(begun) : `${said.begun(begun)}\n\n${schedule.waitsForGateway}`;
    }
    if (action === "limit") {
      const tokens = Number(number.replaceAll(/[_,.k]/gi, "")) * (/k$/i.test(number) ? 1_000 : 1);
      const goal = goals.findLast((each) => each.sessionKey === sessionKey);
      if (goal === undefined || tokens < 1_000) return said.needsLimit;
      return describeGoal(await client.call("goals.set", { id: goal.id, tokens }), words);
    }
    const state = goalStates[action.toLowerCase() as keyof typeof goalStates];
    const goal = number === "" ? findGoalHere(goals, sessionKey, state) : goals[Number(number) - 1];
    if (goal === undefined) return said.which(`/goal ${action}`);
    return describeGoal(await client.call("goals.set", { id: goal.id, state }), words);
  },
};

/** Of this conversation, or the only one that the action can be about. */
function findGoalHere(
  goals: readonly GoalRecord[],
  sessionKey: string,
  state: "active" | "paused" | "stopped",
): GoalRecord | undefined {
  const meant = goals.filter((goal) => goal.state !== "done" && goal.state !== "stopped");
  const able = state === "active" ? meant : meant.filter(isOpenGoal);
  return able.findLast((goal) => goal.sessionKey === sessionKey) ?? (able.length === 1 ? able[0] : undefined);
}

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
