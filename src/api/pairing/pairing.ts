// Operations about pairing: who asks to talk to the assistant in chat apps, and who may. Never in a group, where others
// would read along.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import { toPlainLine } from "../../lib/text.ts";
import type { PairedSender, PairingRequest } from "../../storage/people/pairing-store.ts";
import { type Caller, operation } from "../operation.ts";

export interface PairingList {
  pending: PairingRequest[];
  paired: PairedSender[];
}

const text = z.string().min(1).max(500);
const longestShown = 60;

const listPairing = operation({
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

export const pairingOperations = [listPairing, approvePairing, denyPairing, revokePairing] as const;
