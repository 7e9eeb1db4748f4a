// `/pairing`: who may talk to the assistant, decided by the owner in private.
import type { Origin } from "../bus/types.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { toPlainLine } from "../lib/text.ts";
import { describeRole, describeSender, listPairing } from "./describe-pairing.ts";
import type { Reached } from "./reach-control.ts";

export interface PairingAnswerParts {
  reach(): Promise<Reached>;
  clock: Clock;
  words: Words;
}

export async function answerPairing(
  { reach, clock, words }: PairingAnswerParts,
  { role, group }: Origin,
  text: string,
): Promise<string> {
  const { pairing } = words;
  if (role !== "owner") return pairing.ownerOnly;
  if (group !== undefined) return pairing.notInGroup;
  const { control } = await reach();
  const [action = "list", first = "", second = ""] = text.split(/\s+/).filter(Boolean);
  switch (action) {
    case "list":
      return [listPairing(await control.listPairing({}), { words, now: clock.now() }), "", pairing.help].join(
        "\n",
      );
    case "approve": {
      if (first === "") return pairing.needsCode("/pairing approve");
      const isOwner = second.toLowerCase() === "owner";
      const wish = isOwner
        ? { role: "owner" as const }
        : { role: "guest" as const, ...(second && { person: second }) };
      const sender = await control.approvePairing({ code: first, ...wish });
      return pairing.approved(describeSender(sender, words), describeRole(sender, words));
    }
    case "deny":
      if (first === "") return pairing.needsCode("/pairing deny");
      return (await control.denyPairing({ code: first }))
        ? pairing.denied
        : pairing.noCode(toPlainLine(first, 40));
    case "revoke": {
      if (second === "") return pairing.needsSender("/pairing revoke");
      const sender = pairing.sender(toPlainLine(first, 40), toPlainLine(second, 60));
      const isDone = await control.revokePairing({ channel: first, senderId: second });
      return isDone ? pairing.revoked(sender) : pairing.noSender(sender);
    }
    default:
      return pairing.help;
  }
}
