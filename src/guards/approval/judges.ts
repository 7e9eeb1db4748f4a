// Verdicts about single effects: a command, by the command policy; anything that a guest causes. A guest may use the web,
// reminders and messages in the guest's chat, and files in the guest's folder; the owner decides about the rest. Secrets in
// a file are shown to a model only when the owner agrees.
import { phrase } from "../../i18n/phrase.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { toOneLine } from "../../lib/text.ts";
import type { CommandPolicy } from "../command/command-policy.ts";
import { describeEffect } from "./describe-effect.ts";
import type { Judge } from "./with-approval.ts";

/** What a person or a model can still take in. */
const mostReasons = 3;

export function createCommandJudge(policy: CommandPolicy): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "run") return { type: "allow" };
    const { command, workingDirectory, network = false } = effect;
    if (command.trim() === "" || command.includes("\0")) {
      return { type: "deny", reason: sayInEnglish(phrase("approval.nul-bytes")) };
    }
    const judgement = await policy.judge(command, { origin, workingDirectory });
    const reasons = judgement.reasons.slice(0, mostReasons);
    if (judgement.class === "refused") {
      return {
        type: "deny",
        reason: `This command is refused, whoever asks for it. ${sayInEnglish(...reasons)}`,
      };
    }
    if (judgement.class === "harmless" && !network) return { type: "allow" };
    const folder = workingDirectory === undefined ? undefined : toOneLine(workingDirectory, 100);
    // As it is written in approvals.json.
    const place = `${folder === undefined ? "" : ` in ${folder}`}${network ? " with the network" : ""}`;
    return {
      type: "ask",
      request: {
        phrase: phrase("approval.run", {
          ...(folder !== undefined && { folder }),
          ...(network && { network }),
        }),
        detail: command,
        reasons: reasons.length === 0 ? [phrase("approval.wants-network")] : reasons,
        ...((network || judgement.needsNetwork) && { risk: phrase("approval.risk-network") }),
        subject: command + place,
      },
    };
  };
}

const theirs = new Set(["read", "write", "fetch", "schedule"]);

export const judgeGuest: Judge = async (effect, { origin }) => {
  if (origin.role !== "guest" || theirs.has(effect.type)) return { type: "allow" };
  const isOwnChat =
    effect.type === "send" && effect.channel === origin.channel && effect.chatId === origin.chatId;
  if (isOwnChat) return { type: "allow" };
  if (effect.type === "send")
    return { type: "deny", reason: "A guest's turn writes to the guest's own chat alone. Say so." };
  return { type: "ask", request: { ...describeEffect(effect), reasons: [phrase("approval.from-guest")] } };
};

/** Of one file, for the conversation if the owner says so. */
export const judgeSecrets: Judge = async (effect) => {
  if (effect.type !== "read" || effect.showsSecrets !== true) return { type: "allow" };
  const path = toOneLine(effect.path, 200);
  return {
    type: "ask",
    request: {
      phrase: phrase("approval.show-secrets", { path }),
      detail: effect.path,
      reasons: [],
      risk: phrase("approval.risk-secrets"),
      labels: [],
      subject: path,
    },
  };
};
