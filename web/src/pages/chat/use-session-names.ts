// The names of conversations, for every page that shows one.
import { useCallback } from "react";
import { usePreferences } from "../../app/preferences.tsx";
import { useStore } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { nameKey } from "./session-name.ts";
import { useSessions } from "./use-sessions.ts";

export type NameOf = (key: string) => string;

export function useSessionNames(): NameOf {
  const words = useWords().chat;
  const { language } = usePreferences();
  useSessions();
  const sessions = useStore((state) => state.sessions);
  return useCallback(
    (key: string) => nameKey(key, sessions, { words, language }),
    [sessions, words, language],
  );
}
