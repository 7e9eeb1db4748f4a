// What the policy says about a command, as a verdict: it runs, the owner is asked, or it is refused.

import { englishCommands } from "../i18n/en/commands.ts";
import { englishGuards } from "../i18n/en/guards.ts";
import { toOneLine } from "../lib/text.ts";
import type { CommandPolicy } from "./command/command-policy.ts";
import type { Judge } from "./with-approval.ts";

/** What a person or a model can still take in. */
const mostReasons = 3;

export function createCommandJudge(policy: CommandPolicy): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "run") return { type: "allow" };
    const { command, workingDirectory, network = false } = effect;
    if (command.trim() === "" || command.includes("\0")) {
      return { type: "deny", reason: "Give a command without NUL bytes." };
    }
    const judgement = await policy.judge(command, { origin, workingDirectory });
    const why = judgement.reasons.slice(0, mostReasons).join(" ");
    if (judgement.class === "refused") {
      return { type: "deny", reason: `This command is refused, whoever asks for it. ${why}` };
    }
    if (judgement.class === "harmless" && !network) return { type: "allow" };
    const folder = workingDirectory === undefined ? "" : ` in ${toOneLine(workingDirectory, 100)}`;
    const place = `${folder}${network ? " with the network" : ""}`;
    return {
      type: "ask",
      request: {
        title: `${englishGuards.runTitle}${place}`,
        detail: command,
        reason: why === "" ? englishCommands.networkWish : why,
        ...((network || judgement.needsNetwork) && { risk: "network" as const }),
        subject: command + place,
      },
    };
  };
}
