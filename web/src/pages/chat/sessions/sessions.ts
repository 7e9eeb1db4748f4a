// The list of conversations, their names (by title, day or channel, never by key) and their addresses.
import { useCallback, useEffect, useMemo } from "react";
import type { SessionCard } from "../../../../../src/api/chat/wire.ts";
import { parseSessionKey } from "../../../../../src/bus/session-key.ts";
import type { Viewer } from "../../../../../src/server/protocol.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { toPath } from "../../../app/router.tsx";
import { type Query, useQuery, useStore, useWire } from "../../../wire/hooks.tsx";
import type { Language, Words } from "../../../words/index.ts";

/** Asked for once; later changes arrive as events. */
export function useSessions(): Query<SessionCard[]> {
  const { store } = useWire();
  const { data, problem, refetch } = useQuery("chat.list", {});
  useEffect(() => {
    if (data !== undefined) store.dispatch({ type: "sessions-listed", sessions: data.sessions });
  }, [data, store]);
  const known = useStore((state) => state.sessions);
  const sessions = useMemo(
    () =>
      known &&
      [...known.values()].filter(({ isArchived }) => !isArchived).sort((a, b) => b.updatedAt - a.updatedAt),
    [known],
  );
  return { data: sessions, problem: sessions ? undefined : problem, refetch };
}

/** A closed conversation, or one of a guest, can only be read. */
export function isReadOnly({ isClosed, guest }: SessionCard, viewer: Viewer | undefined): boolean {
  return isClosed || (guest !== undefined && guest !== viewer?.person);
}

/** When this browser first asked: what was said before it is not unread, unless another browser has said so. */
function readSince(): number {
  const name = "nanobot.unread-since";
  const kept = Number(localStorage.getItem(name));
  if (kept > 0) return kept;
  const now = Date.now();
  localStorage.setItem(name, String(now));
  return now;
}

/** Something was said in it since it was last looked at. What is said on other channels is read there. */
export function isUnread(session: SessionCard, viewer: Viewer | undefined): boolean {
  const { key, guest, updatedAt, seenAt = readSince(), isRunning, isArchived } = session;
  const isOwn = guest === undefined || guest === viewer?.person;
  return isOwn && !isArchived && !isRunning && updatedAt > seenAt && parseSessionKey(key).channel === "web";
}

/** Conversations that are unread or ask something, except the one that is looked at. */
export function useWaiting(current: string | undefined): number {
  return useStore(({ sessions, viewer }) =>
    sessions === undefined
      ? 0
      : [...sessions.values()].filter(
          (session) => session.key !== current && (session.isAsking || isUnread(session, viewer)),
        ).length,
  );
}

type Group = keyof Words["chat"]["groups"];

export function groupSessions(sessions: readonly SessionCard[], now: number): Array<[Group, SessionCard[]]> {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groupOf = ({ isPinned, updatedAt }: SessionCard): Group => {
    if (isPinned) return "pinned";
    if (updatedAt >= midnight) return "today";
    return updatedAt >= midnight - 6 * 86_400_000 ? "week" : "older";
  };
  const groups = Map.groupBy(
    sessions.filter(({ folder, isPinned }) => isPinned || folder === undefined),
    groupOf,
  );
  return (["pinned", "today", "week", "older"] as const).flatMap((group) => {
    const members = groups.get(group);
    return members === undefined ? [] : [[group, members] as [Group, SessionCard[]]];
  });
}

/** What is not pinned, by folder, in the order of their names. */
export function groupFolders(sessions: readonly SessionCard[]): Array<[string, SessionCard[]]> {
  const inFolders = sessions.filter(({ folder, isPinned }) => folder !== undefined && !isPinned);
  return [...Map.groupBy(inFolders, ({ folder = "" }) => folder)].sort(([a], [b]) => a.localeCompare(b));
}

/** The address of a conversation, or of a message in it. */
export function toMessagePath({ sessionKey, entryId }: { sessionKey: string; entryId?: string }): string {
  const path = toPath("chat", sessionKey);
  return entryId === undefined ? path : `${path}?at=${encodeURIComponent(entryId)}`;
}

/** Names conversations by their keys, for every page that shows one. */
export function useSessionNames(): (key: string) => string {
  const words = useWords().chat;
  const { language } = usePreferences();
  useSessions();
  const sessions = useStore((state) => state.sessions);
  return useCallback(
    (key: string) => nameKey(key, sessions, { words, language }),
    [sessions, words, language],
  );
}

interface Naming {
  words: Words["chat"];
  language: Language;
}

type Named = Pick<SessionCard, "key" | "title" | "updatedAt">;

export function nameSession({ key, title, updatedAt }: Named, { words, language }: Naming): string {
  if (title !== "") return title;
  if (parseSessionKey(key).channel !== "web") return nameChannel(key, words);
  if (updatedAt <= 0) return words.untitled;
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(updatedAt);
  return words.names.chatOf(day);
}

/** Also of a conversation that is no longer in the list. */
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
