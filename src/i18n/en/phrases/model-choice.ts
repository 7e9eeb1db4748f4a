// Why a model was chosen (`choice.`, parts of sentences), and why a choice is refused, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

/** `choice.` and a kind of ChoiceReason. */
export const modelChoicePhrases = {
  "choice.chosen": ({ preset, variable }: { preset?: string; variable?: string }) => {
    if (preset !== undefined) return `chosen by the preset "${preset}"`;
    return variable === undefined
      ? "chosen in the config"
      : `chosen in the config, with the key from ${variable}`;
  },
  "choice.default-model": "the default model, at a host of the config",
  "choice.host-in-config": "the usual model of a host of the config",
  "choice.key-in-environment": ({ variable }: { variable: string }) => `found the key ${variable}`,
  "choice.no-config": (_: object, { program }: PhraseContext) =>
    `no config and no key yet; run: ${program} onboard`,
  "choice.no-usable-host": (_: object, { program }: PhraseContext) =>
    `no host of the config has a key or an address; run: ${program} onboard`,
  "choice.no-model-named": ({ host }: { host: string }) =>
    `no model is named for ${host}; set agents.defaults.model`,
  "choice.given": "given by the program that embeds nanobot",
  "choice.offline": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `The offline model answers: ${say(reason)}`,

  "models.unknown-host": ({ host }: { host: string }) =>
    `There is no model host "${host}". A server of your own needs its API address.`,
  "models.odd-key": "No API key has characters like these. Copy it again from the host's page.",
  "models.key-elsewhere": "A hidden key is not sent to another address. Type it again.",
  "models.trial-too-long": ({ seconds }: { seconds: number }) =>
    `There was no answer within ${seconds} seconds.`,
};
