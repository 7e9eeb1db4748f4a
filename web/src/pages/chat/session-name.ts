// What a conversation is called wherever it is named: by its title, its day or its channel, never by its key.
import type { SessionCard } from "../../../../src/api/chat/wire.ts";
import { parseSessionKey } from "../../../../src/bus/session-key.ts";
import type { Language, Words } from "../../words/index.ts";

export interface Naming {
  words: Words["chat"];
  language: Language;
}

type Named = Pick<SessionCard, "key" | "title" | "updatedAt">;

export function nameSession({ key, title, updatedAt }: Named, { words, language }: Naming): string {
  if (title !== "") return title;
  if (!isOfBrowser(key)) return nameChannel(key, words);
  if (updatedAt <= 0) return words.untitled;
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(updatedAt);
  return words.names.chatOf(day);
}

/** Of one that may not be in the list any more. */
export function nameKey(
  key: string,
  sessions: ReadonlyMap<string, SessionCard> | undefined,
  naming: Naming,
): string {
  const session = sessions?.get(key);
  return session === undefined ? nameChannel(key, naming.words) : nameSession(session, naming);
}

function nameChannel(key: string, { names }: Words["chat"]): string {
  const { channel } = parseSessionKey(key);
  const known: Record<string, string> = names.channels;
  return known[channel] ?? names.other(channel.charAt(0).toUpperCase() + channel.slice(1));
}

function isOfBrowser(key: string): boolean {
  return parseSessionKey(key).channel === "web";
}
