// Why access to the assistant was not given or taken away, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const pairingPhrases = {
  "pairing.bad-person": ({ name }: { name: string }) =>
    `"${name}" cannot be a person's name. Use letters, digits, - and _; "owner" is taken.`,
  "pairing.no-code": ({ code }: { code: string }) =>
    `There is no request with the code ${code}. Codes expire after ten minutes.`,
  "pairing.not-paired": ({ sender }: { sender: string }) => `${sender} has no access.`,
  "pairing.not-in-group": "Who gets access is decided in private, not in a group.",
  "pairing.closed": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} Until then nobody new gets access.`,
};
