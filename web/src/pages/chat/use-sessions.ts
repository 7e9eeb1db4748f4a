// The list of conversations, asked for once and anew when events were missed; what changes in it comes by itself.
import { useEffect, useMemo } from "react";
import type { SessionCard } from "../../../../src/api/chat/wire.ts";
import type { Problem, Viewer } from "../../../../src/server/protocol.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useStore, useWire } from "../../wire/wire-context.tsx";

export interface Sessions {
  sessions: SessionCard[] | undefined;
  problem: Problem | undefined;
  refetch(): void;
}

export function useSessions(): Sessions {
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
  return { sessions, problem, refetch };
}

/** What was closed, or is a guest's own, can only be read. */
export function isReadOnly({ isClosed, guest }: SessionCard, viewer: Viewer | undefined): boolean {
  return isClosed || (guest !== undefined && guest !== viewer?.person);
}

export type Group = "pinned" | "today" | "week" | "older";

export function groupSessions(sessions: readonly SessionCard[], now: number): Array<[Group, SessionCard[]]> {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groupOf = ({ isPinned, updatedAt }: SessionCard): Group => {
    if (isPinned) return "pinned";
    if (updatedAt >= midnight) return "today";
    return updatedAt >= midnight - 6 * 86_400_000 ? "week" : "older";
  };
  const groups = Map.groupBy(sessions, groupOf);
  return (["pinned", "today", "week", "older"] as const).flatMap((group) => {
    const members = groups.get(group);
    return members === undefined ? [] : [[group, members] as [Group, SessionCard[]]];
  });
}
