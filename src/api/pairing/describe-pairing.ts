// Who was admitted and who waits, as a person reads it.

import { describeDuration } from "../../i18n/describe-time.ts";
import type { Words } from "../../i18n/words.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { PairedSender, PairingRequest } from "../../storage/people/pairing-store.ts";

const longestName = 60;

export function listPairing(
  { pending, paired }: { pending: readonly PairingRequest[]; paired: readonly PairedSender[] },
  { words, now }: { words: Words; now: number },
): string {
  const { pairing } = words;
  if (pending.length + paired.length === 0) return pairing.nobody;
  const waiting = pending.map((request) => {
    const valid = describeDuration(Math.max(0, request.expiresAt - now), words);
    return `- ${pairing.request(request.code, describeSender(request, words), valid)}`;
  });
  const admitted = paired.map(
    (sender) => `- ${pairing.pair(describeSender(sender, words), describeRole(sender, words))}`,
  );
  return [...block(pairing.waiting, waiting), ...block(pairing.admitted, admitted)].join("\n").trimEnd();
}

/** A stranger chose that name: nothing in it is Markdown, or another line. */
export function describeSender(
  { channel, senderId, name }: Pick<PairedSender, "channel" | "senderId" | "name">,
  { pairing }: Words,
): string {
  const sender = pairing.sender(toPlain(channel), toPlain(senderId));
  return name === undefined ? sender : pairing.named(toPlain(name), sender);
}

export function describeRole({ role, person }: PairedSender, { pairing }: Words): string {
  return role === "owner" ? pairing.roles.owner : pairing.guest(toPlain(person));
}

function block(heading: string, rows: string[]): string[] {
  return rows.length === 0 ? [] : [heading, "", ...rows, ""];
}

function toPlain(text: string): string {
  return toPlainLine(text.replaceAll(/[*_`[\]<>|]/g, " "), longestName);
}
