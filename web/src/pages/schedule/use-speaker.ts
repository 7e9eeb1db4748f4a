// What is needed to put schedules and chats into words, on any part of this page.
import type { JobChat, KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { toSessionKey } from "../../../../src/bus/session-key.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { useWords } from "../../words/use-words.ts";
import { useSessionNames } from "../chat/use-session-names.ts";
import { findOwnZone, type Speaker } from "./describe-schedule.ts";

export function useSpeaker(gatewayZone: string): Speaker {
  const { language } = usePreferences();
  return { words: useWords().schedule, language, ownZone: findOwnZone(), gatewayZone };
}

/** `telegram:42` */
export function toTarget({ channel, chatId }: JobChat): string {
  return toSessionKey({ channel, chatId });
}

/** Names of the chats that an answer can go to. */
export function useChatNames() {
  const words = useWords().schedule;
  const nameOf = useSessionNames();
  const nameChat = (chat: KnownChat): string => {
    if (toTarget(chat) === "web:schedule") return words.here;
    if (toTarget(chat) === "cli:direct") return words.terminal;
    const name = nameOf(toTarget(chat));
    return chat.name === undefined ? name : `${chat.name} (${name})`;
  };
  /** For a choice in which `chosen` has to be, also when it is not known any more. */
  const nameChats = (chats: KnownChat[], chosen: string): Record<string, string> => {
    const named = chats.map((chat): [string, string] => [toTarget(chat), nameChat(chat)]);
    return { [chosen]: nameOf(chosen), ...Object.fromEntries(named) };
  };
  return { nameChat, nameChats };
}
