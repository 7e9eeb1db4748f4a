// What is needed to put schedules and chats into words, on any part of this page.
import type { JobChat, KnownChat } from "../../../../src/server/protocol/schedule.ts";
import { usePreferences } from "../../app/preferences.tsx";
import type { Words } from "../../words/index.ts";
import { useWords } from "../../words/use-words.ts";
import { findOwnZone, type Speaker } from "./describe-schedule.ts";

export function useSpeaker(gatewayZone: string): Speaker {
  const { language } = usePreferences();
  return { words: useWords().schedule, language, ownZone: findOwnZone(), gatewayZone };
}

/** `telegram:42` */
export function toTarget({ channel, chatId }: JobChat): string {
  return `${channel}:${chatId}`;
}

export function nameChat(chat: KnownChat, words: Words["schedule"]): string {
  if (toTarget(chat) === "web:schedule") return words.here;
  if (toTarget(chat) === "cli:direct") return words.terminal;
  return chat.name === undefined ? toTarget(chat) : `${chat.name} (${chat.channel})`;
}

/** For a choice in which `chosen` has to be, also when it is not known any more. */
export function nameChats(chats: KnownChat[], words: Words["schedule"], chosen: string) {
  const named = chats.map((chat): [string, string] => [toTarget(chat), nameChat(chat, words)]);
  return { [chosen]: chosen, ...Object.fromEntries(named) };
}
