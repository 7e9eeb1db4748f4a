// One conversation, opened when it is looked at and opened anew when it became old; older messages on demand.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation } from "../../store/conversation.ts";
import { useStore, useWire } from "../../wire/wire-context.tsx";

const pageSize = 60;

export interface OpenConversation {
  conversation: Conversation | undefined;
  /** Asks for it anew, such as after a failure. */
  reopen(): void;
  loadOlder(): void;
  isLoadingOlder: boolean;
}

/** `at`: a message that has to be among those that are shown. */
export function useConversation(key: string | undefined, at?: string): OpenConversation {
  const { store, connection } = useWire();
  const conversation = useStore((state) => (key === undefined ? undefined : state.conversations.get(key)));
  const isOnline = useStore((state) => state.link === "online");
  const open = useCallback(
    async (sessionKey: string, around?: string) => {
      store.dispatch({ type: "open-started", sessionKey });
      const wish = { sessionKey, limit: pageSize, ...(around !== undefined && { around }) };
      const outcome = await connection.ask("chat.open", wish);
      if (outcome.ok) store.dispatch({ type: "opened", opened: outcome.result });
      else store.dispatch({ type: "open-failed", sessionKey, problem: outcome.problem });
    },
    [store, connection],
  );
  const isNeeded = conversation === undefined || conversation.status === "stale";
  useEffect(() => {
    if (key !== undefined && isNeeded && isOnline) void open(key, at);
  }, [key, at, isNeeded, isOnline, open]);
  const isMissing =
    at !== undefined && conversation?.status === "open" && !conversation.parts.some(({ id }) => id === at);
  const sought = useRef<string>(undefined);
  useEffect(() => {
    if (key === undefined || !isMissing || sought.current === at) return;
    sought.current = at;
    void open(key, at);
  }, [key, at, isMissing, open]);
  const older = useOlder(conversation);
  const reopen = useCallback(() => key !== undefined && void open(key), [key, open]);
  return { conversation, reopen, ...older };
}

function useOlder(
  conversation: Conversation | undefined,
): Pick<OpenConversation, "loadOlder" | "isLoadingOlder"> {
  const { store, connection } = useWire();
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const isBusy = useRef(false);
  const first = conversation?.parts.find(({ kind }) => kind !== "aside")?.id;
  const canLoad = conversation?.status === "open" && conversation.hasMore;
  const key = conversation?.key;
  const loadOlder = useCallback(async () => {
    if (!canLoad || key === undefined || first === undefined || isBusy.current) return;
    isBusy.current = true;
    setIsLoadingOlder(true);
    const outcome = await connection.ask("chat.open", { sessionKey: key, before: first, limit: pageSize });
    isBusy.current = false;
    setIsLoadingOlder(false);
    if (outcome.ok) store.dispatch({ type: "older-loaded", opened: outcome.result });
  }, [canLoad, key, first, connection, store]);
  return { loadOlder, isLoadingOlder };
}
