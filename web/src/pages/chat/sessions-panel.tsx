// The conversations at the side: search over all of them, the list by their age, and what was put away.
import { Archive, ChevronLeft, MessagesSquare, Plus, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, toPath } from "../../app/router.tsx";
import { shortcuts, useShortcut } from "../../app/shortcuts.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { SearchResults } from "./search-results.tsx";
import { SessionRow } from "./session-row.tsx";
import { groupSessions, useSessions } from "./use-sessions.ts";

export interface SessionsPanelProps {
  current: string | undefined;
  /** Something was chosen: a drawer may close. */
  onChosen(): void;
}

export function SessionsPanel({ current, onChosen }: SessionsPanelProps) {
  const words = useWords().chat;
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [isArchive, setIsArchive] = useState(false);
  const settled = useSettled(query.trim(), 250);
  useShortcut(shortcuts.searchChats, () => field.current?.focus());
  return (
    <div className="flex h-full flex-col gap-2 bg-side p-3">
      <Link
        to={toPath("chat")}
        onClick={onChosen}
        className="flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-control border border-line bg-surface text-small font-medium hover:bg-raised"
      >
        <Plus aria-hidden className="size-4" />
        {words.newChat}
      </Link>
      <div className="relative shrink-0">
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-muted" />
        <input
          ref={field}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-9 w-full rounded-control bg-raised pr-2 pl-8 text-small"
        />
      </div>
      <nav aria-label={words.conversations} className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        {settled !== "" ? (
          <SearchResults query={settled} onChosen={onChosen} />
        ) : isArchive ? (
          <ArchiveList current={current} onChosen={onChosen} />
        ) : (
          <SessionList current={current} onChosen={onChosen} />
        )}
      </nav>
      {settled === "" && (
        <button
          type="button"
          onClick={() => setIsArchive(!isArchive)}
          className="flex h-8 shrink-0 items-center gap-2 rounded-control px-2 text-small text-muted hover:bg-raised hover:text-ink"
        >
          {isArchive ? (
            <ChevronLeft aria-hidden className="size-4" />
          ) : (
            <Archive aria-hidden className="size-4" />
          )}
          {isArchive ? words.backToAll : words.archived}
        </button>
      )}
    </div>
  );
}

function SessionList({ current, onChosen }: SessionsPanelProps) {
  const words = useWords().chat;
  const { sessions, problem, refetch } = useSessions();
  if (problem !== undefined && sessions === undefined)
    return <ErrorState message={problem.message} onRetry={refetch} />;
  if (sessions === undefined) return <SkeletonLines count={6} />;
  if (sessions.length === 0) return <EmptyState icon={MessagesSquare} title={words.noConversations} />;
  return groupSessions(sessions, Date.now()).map(([group, members]) => (
    <section key={group} className="mb-3">
      <h2 className="px-2 py-1 text-tiny font-medium text-muted">{words.groups[group]}</h2>
      <ul>
        {members.map((session) => (
          <SessionRow
            key={session.key}
            session={session}
            isCurrent={session.key === current}
            onChosen={onChosen}
          />
        ))}
      </ul>
    </section>
  ));
}

function ArchiveList({ current, onChosen }: SessionsPanelProps) {
  const words = useWords().chat;
  const { data, problem, refetch } = useQuery("chat.list", { archived: true });
  if (problem !== undefined) return <ErrorState message={problem.message} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines count={4} />;
  if (data.sessions.length === 0) return <EmptyState icon={Archive} title={words.noArchived} />;
  return (
    <ul>
      {data.sessions.map((session) => (
        <SessionRow
          key={session.key}
          session={session}
          isCurrent={session.key === current}
          onChosen={onChosen}
          onChanged={refetch}
        />
      ))}
    </ul>
  );
}

/** The value once it has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
