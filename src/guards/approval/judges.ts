// Verdicts about single effects: a command, by the command policy; anything that a guest causes. A guest may use the web,
// reminders and messages in the guest's chat, and files in the guest's folder; the owner decides about the rest. Secrets in
// a file are shown to a model only when the owner agrees.
import { phrase } from "../../i18n/phrase.ts";
import { sayInEnglish } from "../../i18n/words.ts";
import { toOneLine } from "../../lib/text.ts";
import type { CommandJudgement, CommandPolicy, Run } from "../command/command-policy.ts";
import { describeEffect } from "./describe-effect.ts";
import type { ApprovalRequest, Judge } from "./with-approval.ts";

/** What a person or a model can still take in. */
const mostReasons = 3;

export function createCommandJudge(policy: CommandPolicy): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "run") return { type: "allow" };
    if (effect.command.trim() === "" || effect.command.includes("\0")) {
      return { type: "deny", reason: sayInEnglish(phrase("approval.nul-bytes")) };
    }
    const judgement = await policy.judge(effect, { origin });
    const reasons = judgement.reasons.slice(0, mostReasons);
    if (judgement.class === "refused") {
      return {
        type: "deny",
        reason: `This command is refused, whoever asks for it. ${sayInEnglish(...reasons)}`,
      };
    }
    if (judgement.class === "harmless") return { type: "allow" };
    const { command, workingDirectory, network } = effect;
    const folder = workingDirectory === undefined ? undefined : toOneLine(workingDirectory, 100);
    const risk = effect.outside ? "approval.risk-outside" : network ? "approval.risk-network" : undefined;
    return {
      type: "ask",
      request: {
        phrase: phrase("approval.run", { ...(folder !== undefined && { folder }) }),
        detail: command,
        reasons,
        ...(risk !== undefined && { risk: phrase(risk) }),
        ...toCovered(effect, judgement),
      },
    };
  };
}

/**
 * What a lasting yes covers, as it is written in approvals.json: programs with the hosts that they reach, or the exact
 * command with what it was granted.
 */
function toCovered(
  run: Run,
  { programs = [] }: CommandJudgement,
): Pick<ApprovalRequest, "subject" | "always"> {
  const { command, workingDirectory, network, writable = [], outside } = run;
  const isByHost =
    network !== undefined && writable.length === 0 && outside === undefined && programs.length > 0;
  const hosts = network === true ? "*" : (network ?? []).join(", ");
  if (isByHost) {
    const names = { programs: programs.join(", "), hosts };
    return { subject: `${names.programs} -> ${hosts}`, always: phrase("approval.always-hosts", names) };
  }
  const place = workingDirectory === undefined ? "" : ` in ${toOneLine(workingDirectory, 100)}`;
  const granted = [
    ...(outside ? [" outside the sandbox"] : []),
    ...(network === undefined ? [] : [` with network ${hosts}`]),
    ...(writable.length === 0 ? [] : [` writing ${writable.join(", ")}`]),
  ];
  return { subject: command + place + granted.join("") };
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
