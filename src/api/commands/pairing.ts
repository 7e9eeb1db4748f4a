// `/pairing`: who may talk to the assistant, decided by the owner in private.
import { describeRole, describeSender, listPairing } from "../pairing/describe-pairing.ts";
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
