// Operations about pairing: who asks to talk to the assistant in chat apps, and who may. Never in a group, where others
// would read along.
import * as z from "zod";
import { describeDuration } from "../../i18n/describe-time.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { PairedSender, PairingRequest } from "../../storage/people/pairing-store.ts";
import { type Caller, operation } from "../operation.ts";

export interface PairingList {
  pending: PairingRequest[];
  paired: PairedSender[];
}

const text = z.string().min(1).max(500);
const longestShown = 60;

const pairingList = operation({
  name: "pairing.list",
  about: "Who asks for access, each with a code, and who has it.",
  access: "owner",
  needs: "home",
  params: z.strictObject({}),
  async run({ pairing }, _, caller): Promise<PairingList> {
    checkPrivate(caller);
    return { pending: await pairing.listPending(), paired: await pairing.list() };
  },
});

const approvePairing = operation({
  name: "pairing.approve",
  about: "Gives access to the sender with that code. Senders with the same person are one person.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params: z.strictObject({ code: text, role: z.enum(["owner", "guest"]), person: text.optional() }),
  run({ pairing }, { code, role, person }, caller): Promise<PairedSender> {
    checkPrivate(caller);
    return pairing.approve(code, { role, ...(person && { person }) });
  },
});

const denyPairing = operation({
  name: "pairing.deny",
  about: "Refuses access to the sender with that code.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params: z.strictObject({ code: text }),
  async run({ pairing }, { code }, caller) {
    checkPrivate(caller);
    if (await pairing.deny(code)) return {};
    throw fail("pairing.no-code", { code: toPlainLine(code, longestShown) });
  },
});

const revokePairing = operation({
  name: "pairing.revoke",
  about: "Takes access away from a sender.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params: z.strictObject({ channel: text, senderId: text }),
  async run({ pairing }, { channel, senderId }, caller) {
    checkPrivate(caller);
    if (await pairing.revoke(channel, senderId)) return {};
    const sender = toPlainLine(`${channel} ${senderId}`, longestShown);
    throw fail("pairing.not-paired", { sender });
  },
});

function checkPrivate({ group }: Caller): void {
  if (group !== undefined) throw fail("pairing.not-in-group");
}

export const pairingOperations = [pairingList, approvePairing, denyPairing, revokePairing] as const;

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
