// Moving in from another assistant: what becomes of each item, and why, in English.
import type { PhraseContext } from "../../phrase.ts";

export const moveInPhrases = {
  "move-in.no-home": ({ folder }: { folder: string }) =>
    `${folder} is not a home of OpenClaw or Hermes. Name its folder, such as ~/.openclaw or ~/.hermes.`,
  "move-in.reading": "Reading what is there",
  "move-in.taking": "Taking it over",
  "move-in.ask-secrets": ({ count }: { count: number }) =>
    `Copy ${count === 1 ? "this key or token" : `these ${count} keys and tokens`} into the config here?`,
  "move-in.not-copied": "not copied, as you decided",
  "move-in.already-set": ({ present }: { present: string }) => `already set here to ${present}`,
  "move-in.unknown-host": ({ host }: { host: string }, { program }: PhraseContext) =>
    `there is no model provider "${host}" here; choose one with: ${program} onboard`,
  "move-in.no-such-channel": "this chat app is not supported here",
  "move-in.no-such-schedule": "this kind of job does not exist here",
  "move-in.paused": "it was switched off there",
  "move-in.skill-there": "a skill of this name is already here",
  "move-in.skill-flagged": ({ folder }: { folder: string }, { program }: PhraseContext) =>
    `something suspicious is in it; read it, then add it with: ${program} skills add ${folder} --allow-flagged`,
  "move-in.add-server": (_: object, { program }: PhraseContext) => `add it with: ${program} mcp add`,
  "move-in.of-the-program": "only the other program uses it",
  "move-in.unreadable": "it cannot be read, or is too large",
  "move-in.empty": "it is empty",
};
