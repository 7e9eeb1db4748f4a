// What a guest may set in motion without the owner: the web, reminders and messages in the guest's own chat, files in
// the guest's own folder (which the file roots see to). Everything else is the owner's to decide.
import { phrase } from "../i18n/phrase.ts";
import { describeEffect } from "./describe-effect.ts";
import type { Judge } from "./with-approval.ts";

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
