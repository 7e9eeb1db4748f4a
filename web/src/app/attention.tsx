// What reaches the person while they look at something else: the count in the tab and on the app's icon, a toast while
// the page is visible, and a notification of the browser, where it is allowed, while it is not.
import { useEffect, useRef } from "react";
import { nameKey, useSessions, useWaiting } from "../pages/chat/sessions/sessions.ts";
import type { NewsItem } from "../store/news.ts";
import { useMutation, useStore, useWire } from "../wire/hooks.tsx";
import { isNotifying } from "./notifications.ts";
import { usePreferences, useWords } from "./preferences.tsx";
import { navigate, showTabCount, toPath, usePlace } from "./router.tsx";
import { showToast } from "./toasts.tsx";

/** The conversation in the address, if the chat page is shown. */
function useCurrentChat(): string | undefined {
  const { page, rest } = usePlace();
  return page === "chat" || page === "" ? rest[0] : undefined;
}

/** How many conversations wait for the person. */
export function useWaitingChats(): number {
  return useWaiting(useCurrentChat());
}

/** Shows nothing itself. */
export function Attention() {
  useSessions();
  const current = useCurrentChat();
  useSeen(current);
  useNews(current);
  useEffect(followNotifications, []);
  const count = useWaiting(current);
  useEffect(() => {
    showTabCount(count);
    // Not in every browser, and only for an installed page.
    if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => undefined);
    return () => showTabCount(0);
  }, [count]);
  return null;
}

/** A notification of the service worker leads to its conversation. */
function followNotifications(): () => void {
  const listening = new AbortController();
  const follow = ({ data }: MessageEvent) => navigate(String(data?.path ?? "#/chat"));
  navigator.serviceWorker?.addEventListener("message", follow, listening);
  return () => listening.abort();
}

/** What is looked at is seen. */
function useSeen(current: string | undefined): void {
  const { run } = useMutation("chat.seen", { isQuiet: true });
  const session = useStore((state) => (current === undefined ? undefined : state.sessions?.get(current)));
  const { updatedAt = 0, seenAt = 0, isRunning = false } = session ?? {};
  const isDue = current !== undefined && updatedAt > seenAt && !isRunning;
  useEffect(() => {
    if (!isDue) return;
    const look = () => {
      if (!document.hidden) void run({ sessionKey: current });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isDue, current, run]);
}

function useNews(current: string | undefined): void {
  const { store } = useWire();
  const { chat: words } = useWords();
  const { language } = usePreferences();
  const items = useStore((state) => state.news.items);
  const lastSeq = useRef(items.at(-1)?.seq ?? 0);
  useEffect(() => {
    const fresh = items.filter(({ seq }) => seq > lastSeq.current);
    lastSeq.current = items.at(-1)?.seq ?? lastSeq.current;
    for (const item of fresh) {
      const isLookedAt = item.sessionKey === current && !document.hidden;
      const { sessions, viewer } = store.get();
      const session = sessions?.get(item.sessionKey);
      const isOthers = session?.guest !== undefined && session.guest !== viewer?.person;
      if (isLookedAt || !isForPage(item, isOthers)) continue;
      const title = `${words.news[item.kind]} · ${nameKey(item.sessionKey, sessions, { words, language })}`;
      const open = () => navigate(toPath("chat", item.sessionKey));
      if (document.hidden && isNotifying()) void notify(title, item, open);
      else
        showToast({
          title,
          text: withoutMarks(item.text),
          tone: item.kind === "failed" ? "bad" : "plain",
          action: { label: words.news.open, run: open },
        });
    }
  }, [items, current, store, words, language]);
}

/** An answer on another channel is read there; a question of any is for the page, too. */
function isForPage({ kind, sessionKey }: NewsItem, isOthers: boolean): boolean {
  return kind === "ask" || (!isOthers && sessionKey.startsWith("web:"));
}

/** Of Markdown. */
function withoutMarks(text: string): string {
  return text.replaceAll(/\*\*|__|`+|^#+ /gm, "");
}

/** By the service worker where there is one: phones know no other way. */
async function notify(title: string, { text, sessionKey }: NewsItem, open: () => void): Promise<void> {
  const options = { body: withoutMarks(text), tag: sessionKey, icon: "./icon.svg" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined)
    return worker.showNotification(title, { ...options, data: { path: toPath("chat", sessionKey) } });
  const notification = new Notification(title, options);
  notification.addEventListener("click", () => {
    focus();
    open();
  });
}
