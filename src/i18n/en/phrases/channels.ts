// Why a channel does not run or cannot be set up, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

/** One setting of a channel, with what is wrong with it. */
export interface BadSetting {
  path: string;
  reason: InnerPhrase;
}

export const channelPhrases = {
  "channels.unknown": ({ channel, nearest }: { channel: string; nearest?: string }) =>
    `There is no channel "${channel}" (channels.${channel}). ${nearest === undefined ? "Fix the name, or remove the block." : `Did you mean "${nearest}"?`}`,
  "channels.needs-package": ({ channel, command }: { channel: string; command: string }) =>
    `The channel ${channel} needs a package that is not installed. Run: ${command}`,
  "channels.bad-settings": (
    { channel, settings }: { channel: string; settings: BadSetting[] },
    { say }: PhraseContext,
  ) =>
    `The channel ${channel} cannot be started: ${settings.map(({ path, reason }) => `${path}: ${say(reason)}`).join(" ")}`,
  "channels.file-not-used": (
    { channel, reason }: { channel: string; reason: InnerPhrase },
    { say }: PhraseContext,
  ) => `The channel ${channel} cannot be started: ${say(reason)}`,
  "channels.not-saved": "Some settings are missing or wrong.",
  "channels.not-found": ({ channel }: { channel: string }) => `There is no channel "${channel}".`,
  "channels.install-first": ({ command }: { command: string }) =>
    `A package is missing. On the computer where nanobot runs, run: ${command}`,
  "channels.no-check": "This channel cannot be tested.",
  "channels.secret-elsewhere":
    "A saved secret is never sent to a new address. Enter it again if you want to use it there.",
  "channels.heartbeat-target": ({ target }: { target: string }) =>
    `gateway.heartbeat.target is ${target}, but that channel is not running, so the heartbeat is waiting. Turn the channel on, or set it to "last".`,
  "channels.needs-mailbox": "Name a folder, because postAction is move.",
  "channels.needs-address": "Enter an email address, because the user name is not one.",
};
